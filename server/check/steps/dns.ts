import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { errorCode } from "../printable.ts";
import { hostOf } from "../connect.ts";
import type { Step } from "../step.ts";
import { within } from "../timeout.ts";
import { failed, ok, type Verdict } from "../verdict.ts";
import type { Endpoint } from "./endpoint.ts";

/** Passes when the host name resolves. */
export function dnsStep({ names, titleOf, setting, urlOf }: Endpoint): Step {
  return {
    name: names.dns,
    title: titleOf("DNS"),
    needs: [],
    async run({ target, timeoutMs }) {
      const host = hostOf(urlOf(target));
      try {
        const found = await within(timeoutMs, () => lookup(host, { all: true }));
        return dnsVerdict(host, found.map(({ address }) => address), setting);
      } catch (error) {
        return dnsVerdict(host, errorCode(error), setting);
      }
    },
  };
}

/**
 * Judges a DNS lookup.
 *
 * @param found the addresses, or the error's code.
 * @param setting the setting that contains the host name.
 */
export function dnsVerdict(host: string, found: string[] | string, setting: string): Verdict {
  if (typeof found === "string" || found.length === 0) return unresolved(host, found, setting);
  if (isIP(host) !== 0) return ok(`${host} is an IP address and needs no DNS.`);
  const isLocal = found.every((address) => /^(127\.|::1$)/.test(address));
  return ok(
    isLocal
      ? `${host} points to this machine only.`
      : `${host} resolves to ${found.join(" and ")}.`,
  );
}

function unresolved(host: string, found: string[] | string, setting: string): Verdict {
  const isUnknown = ["ENOTFOUND", "ENODATA"].includes(String(found)) || found.length === 0;
  if (!isUnknown) {
    return failed(
      `The DNS lookup of ${host} failed (${found}).`,
      "Check that this machine reaches its DNS server (/etc/resolv.conf).",
    );
  }
  return failed(
    `${host} has no DNS record.`,
    `Add an A or AAAA record for ${host}, or correct ${setting}. A new record can take minutes to ` +
      "appear.",
  );
}
