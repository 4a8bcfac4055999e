import { errorCode } from "../printable.ts";
import { connectTcp, hostOf, portOf } from "../connect.ts";
import type { Step } from "../step.ts";
import type { Target } from "../target.ts";
import { within } from "../timeout.ts";
import { failed, ok, type Verdict } from "../verdict.ts";
import type { Endpoint } from "./endpoint.ts";

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
export function tcpVerdict(
  { url, setting, target }: {
    url: URL;
    setting: string;
    target: Pick<Target, "usesExternalServer" | "pages" | "port">;
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
