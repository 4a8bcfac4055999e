import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { errorCode, failed, ok, type Step, type Verdict } from "../step.ts";
import { connectTcp, hostOf, portOf } from "../tcp_connection.ts";
import { within } from "../http_exchange.ts";
import type { Endpoint } from "./upgrade.ts";
import type { Target } from "../target.ts";
import { reader, text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** Passes when the host name resolves. */
export function dnsStep({ names, titleOf, setting, urlOf }: Endpoint): Step {
  return {
    name: names.dns,
    get title() {
      return titleOf("DNS");
    },
    needs: [],
    async run({ target, timeoutMs }) {
      const host = hostOf(urlOf(target));
      try {
        const found = await within(timeoutMs, () => lookup(host, { all: true }));
        const addresses = found.map(({ address }) => address);
        return () => dnsVerdict(host, addresses, setting());
      } catch (error) {
        return () => dnsVerdict(host, errorCode(error), setting());
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
  if (isIP(host) !== 0) return ok(text`${host} is an IP address and needs no DNS.`);
  const isLocal = found.every((address) => /^(127\.|::1$)/.test(address));
  return ok(
    isLocal
      ? text`${host} points to this machine only.`
      : text`${host} resolves to ${listText(found)}.`,
  );
}

/** Addresses as English lists them here, and other languages do by their rules. */
function listText(addresses: readonly string[]): string {
  const { language } = reader;
  return language
    ? new Intl.ListFormat(language.tag, { type: "conjunction" }).format(addresses)
    : addresses.join(" and ");
}

function unresolved(host: string, found: string[] | string, setting: string): Verdict {
  const isUnknown = ["ENOTFOUND", "ENODATA"].includes(String(found)) || found.length === 0;
  if (!isUnknown) {
    return failed(
      text`The DNS lookup of ${host} failed (${found}).`,
      text`Check that this machine reaches its DNS server (/etc/resolv.conf).`,
    );
  }
  return failed(
    text`${host} has no DNS record.`,
    text`Add an A or AAAA record for ${host}, or correct ${setting}. A new record can take minutes to appear.`,
  );
}

/** Passes when a program listens on the port. */
export function tcpStep({ names, titleOf, setting, urlOf }: Endpoint): Step {
  return {
    name: names.tcp,
    get title() {
      return titleOf(text`TCP connection`);
    },
    needs: [names.dns],
    async run({ target, timeoutMs }) {
      const url = urlOf(target);
      const judge = (outcome: { milliseconds: number } | { code: string }) => () =>
        tcpVerdict({ url, setting: setting(), target }, outcome);
      const start = performance.now();
      try {
        const socket = await within(
          timeoutMs,
          (signal) => connectTcp(hostOf(url), portOf(url), signal),
        );
        socket.destroy();
        return judge({ milliseconds: performance.now() - start });
      } catch (error) {
        return judge({ code: errorCode(error) });
      }
    },
  };
}

/** Judges an attempt to connect, by the time it took or by the error's code. */
function tcpVerdict(
  { url, setting, target }: {
    url: URL;
    setting: string;
    target: Target;
  },
  outcome: { milliseconds: number } | { code: string },
): Verdict {
  const port = portOf(url);
  const place = `${url.hostname}:${port}`;
  if (!("code" in outcome)) {
    return ok(text`Connected to ${place} in ${Math.round(outcome.milliseconds)} ms.`);
  }
  const isPublic = url === target.pages;
  if (outcome.code === "ECONNREFUSED") {
    return failed(
      text`Nothing is listening on ${place}.`,
      isPublic
        ? text`Start the proxy that should listen there. Without a proxy, use the same port in PORT and APP_URL (PORT is ${target.port}, APP_URL uses ${port}).`
        : text`Correct ${setting} or PUSHER_PORT.`,
    );
  }
  const reason = outcome.code === "ETIMEDOUT" ? text`the connection timed out` : outcome.code;
  return failed(
    text`Can't connect to ${place}: ${reason}.`,
    text`Open port ${port} in the firewall and forward it in the router, if there is one; or correct ${setting}.`,
    ...(isPublic
      ? [
        longText(
          "If other machines can connect and only this one can't, its network doesn't route its own ",
          "public address back to it (hairpin NAT): run rollcall check on another machine, with the ",
          "same settings.",
        ),
      ]
      : []),
  );
}
