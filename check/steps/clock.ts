import { left, type Step } from "../step.ts";
import { failed, ok, type Verdict } from "../verdict.ts";

/** Signatures of the HTTP API are refused when clocks differ by more than this, in seconds. */
const mostSeconds = 600;

/** A clock that is off by more than this is not being set, and will be off by more. */
const allowedSeconds = 60;

/** The clocks of this machine, of the server and of the proxy agree. */
export const clockStep: Step = {
  name: "clock",
  title: "Clock",
  needs: ["installation"],
  run({ seen }) {
    const { sighting, exchange: { sentAt, answeredAt, headers } } = left(seen);
    const now = (sentAt + answeredAt) / 2;
    return Promise.resolve(clockVerdict({
      serverSeconds: (sighting.time - now) / 1_000,
      // It has no fractions: half a second is what they are off by on average.
      headerSeconds: (Date.parse(headers.date ?? "") + 500 - now) / 1_000,
    }));
  },
};

/**
 * Judges how far clocks are before that of this machine, in seconds.
 *
 * @param differences.headerSeconds by the header `Date`, which proxies may write; NaN without one.
 */
export function clockVerdict(
  { serverSeconds, headerSeconds }: { serverSeconds: number; headerSeconds: number },
): Verdict {
  if (isOff(serverSeconds)) {
    const isTooMuch = Math.abs(serverSeconds) > mostSeconds;
    return failed(
      `The server's clock is ${offText(serverSeconds)} that of this machine; beyond ` +
        `${mostSeconds} s, signatures are refused${isTooMuch ? ", as they are now" : ""}.`,
      "Let both machines set their clocks: `timedatectl set-ntp true`.",
    );
  }
  if (isOff(headerSeconds)) {
    return failed(
      `The server's clock is right, but the header Date is ${offText(headerSeconds)} this ` +
        "machine's clock: a proxy writes it.",
      "Let the proxy's machine set its clock (`timedatectl set-ntp true`), or let the proxy pass the " +
        "header on.",
    );
  }
  const rounded = Math.abs(serverSeconds).toFixed(1);
  return ok(`The server's clock and this machine's differ by ${rounded} s.`);
}

function isOff(seconds: number): boolean {
  return Math.abs(seconds) > allowedSeconds;
}

function offText(seconds: number): string {
  return `${Math.round(Math.abs(seconds))} s ${seconds > 0 ? "ahead of" : "behind"}`;
}
