import { connectTcp, hostOf, portOf } from "../connection.ts";
import type { Step } from "../step.ts";
import { within } from "../timeout.ts";
import { codeOf } from "../printable.ts";
import type { Target } from "../target.ts";
import { failed, ok, type Verdict } from "../verdict.ts";
import type { Reach } from "./reach.ts";

/** Somebody listens at the port. */
export function tcpStep({ names, title, setting, urlOf }: Reach): Step {
  return {
    name: names.tcp,
    title: title("TCP connection"),
    needs: [names.name],
    async run({ target, patienceMs }) {
      const url = urlOf(target);
      const asked = { url, setting, target };
      const start = performance.now();
      try {
        const socket = await within(
          patienceMs,
          (signal) => connectTcp(hostOf(url), portOf(url), signal),
        );
        socket.destroy();
        return tcpVerdict(asked, { milliseconds: performance.now() - start });
      } catch (error) {
        return tcpVerdict(asked, { code: codeOf(error) });
      }
    },
  };
}

/** Judges whether a port was reached; `code` is that of what went wrong. */
export function tcpVerdict(
  { url, setting, target }: {
    url: URL;
    setting: string;
    target: Pick<Target, "isHosted" | "pages" | "port">;
  },
  seen: { milliseconds: number } | { code: string },
): Verdict {
  const place = `${hostOf(url)}, port ${portOf(url)}`;
  if (!("code" in seen)) return ok(`${place} answers after ${Math.round(seen.milliseconds)} ms.`);
  const isOurs = url === target.pages;
  if (seen.code === "ECONNREFUSED") {
    return failed(
      `Nobody listens at ${place}.`,
      isOurs
        ? `Start the proxy that is to listen there; or, without a proxy, let PORT and the port in ` +
          `APP_URL be the same (PORT is ${target.port} here, APP_URL has ${portOf(url)}).`
        : `Correct ${setting} or PUSHER_PORT.`,
    );
  }
  const reason = seen.code === "ETIMEDOUT" ? "it does not answer" : seen.code;
  return failed(
    `${place} cannot be reached: ${reason}.`,
    `Open port ${
      portOf(url)
    } in the firewall, and in the router where it has to be forwarded; or ` +
      `correct ${setting}.`,
    ...(isOurs
      ? [
        "If others reach it and only this machine does not, its network does not lead its own " +
        "public address back to it (hairpin NAT): run rollcall check elsewhere, with the same settings.",
      ]
      : []),
  );
}
