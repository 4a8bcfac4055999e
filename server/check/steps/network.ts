import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { errorCode, failed, ok, type Step, type Verdict } from "../step.ts";
import { connectTcp, hostOf, portOf } from "../tcp_connection.ts";
import { within } from "../http_exchange.ts";
import type { Endpoint } from "./upgrade.ts";
import type { Target } from "../target.ts";

/** Passes when the host name resolves. */
export function dnsStep({ names, titleOf, setting, urlOf }: Endpoint): Step {
  return {
    name: names.dns,
    title: titleOf("DNS"),
    needs: [],
    async run({ target, timeoutMs }) {
      const host = hostOf(urlOf(target));
      try {
        const addresses = await within(timeoutMs, () => lookup(host, { all: true }));
        return dnsVerdict(host, addresses.map(({ address }) => address), setting);
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

/** Passes when a program listens on the port. */
export function tcpStep({ names, titleOf, setting, urlOf }: Endpoint): Step {
  return {
    name: names.tcp,
    title: titleOf("TCP connection"),
    needs: [names.dns],
    async run({ target, timeoutMs }) {
      const url = urlOf(target);
      const address = { url, setting, target };
      const start = performance.now();
      try {
        const socket = await within(
          timeoutMs,
          (signal) => connectTcp(hostOf(url), portOf(url), signal),
        );
        socket.destroy();
        return tcpVerdict(address, { milliseconds: performance.now() - start });
      } catch (error) {
        return tcpVerdict(address, { code: errorCode(error) });
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
    return ok(`Connected to ${place} in ${Math.round(outcome.milliseconds)} ms.`);
  }
  const isPublic = url === target.pages;
  if (outcome.code === "ECONNREFUSED") {
    return failed(
      `Nothing is listening on ${place}.`,
      isPublic
        ? `Start the proxy that should listen there. Without a proxy, use the same port in PORT and ` +
          `APP_URL (PORT is ${target.port}, APP_URL uses ${port}).`
        : `Correct ${setting} or PUSHER_PORT.`,
    );
  }
  const reason = outcome.code === "ETIMEDOUT" ? "the connection timed out" : outcome.code;
  return failed(
    `Can't connect to ${place}: ${reason}.`,
    `Open port ${port} in the firewall and forward it in the router, if there is one; or correct ` +
      `${setting}.`,
    ...(isPublic
      ? [
        "If other machines can connect and only this one can't, its network doesn't route its own " +
        "public address back to it (hairpin NAT): run rollcall check on another machine, with the " +
        "same settings.",
      ]
      : []),
  );
}
