import { required, type Step } from "../step.ts";
import { failed, ok, type Verdict } from "../verdict.ts";

/** The HTTP API refuses signatures when clocks differ by more than this, in seconds. */
const maxSignatureAgeSeconds = 600;

/** A clock that is off by more than this is not synchronized and drifts further, in seconds. */
const maxDifferenceSeconds = 60;

/** Passes when the clocks of this machine, the server and the proxy agree. */
export const clockStep: Step = {
  name: "clock",
  title: "Clock",
  needs: ["installation"],
  run({ selfRequest }) {
    const { received, exchange: { sentAt, answeredAt, headers } } = required(selfRequest);
    const now = (sentAt + answeredAt) / 2;
    return Promise.resolve(clockVerdict({
      serverSeconds: (received.time - now) / 1_000,
      // The header has whole seconds: it lags by half a second on average.
      headerSeconds: (Date.parse(headers.date ?? "") + 500 - now) / 1_000,
    }));
  },
};

/**
 * Judges how far other clocks are ahead of this machine's, in seconds.
 *
 * @param differences.headerSeconds by the header `Date`, which proxies may write; NaN without one.
 */
export function clockVerdict(
  { serverSeconds, headerSeconds }: { serverSeconds: number; headerSeconds: number },
): Verdict {
  if (isOff(serverSeconds)) {
    const isTooMuch = Math.abs(serverSeconds) > maxSignatureAgeSeconds;
    return failed(
      `The server's clock is ${offText(serverSeconds)} this machine's clock. Beyond ` +
        `${maxSignatureAgeSeconds} s, signatures are refused${
          isTooMuch ? ", as they are now" : ""
        }.`,
      "Synchronize the clocks of both machines: `timedatectl set-ntp true`.",
    );
  }
  if (isOff(headerSeconds)) {
    return failed(
      `The server's clock is right, but the Date header is ${offText(headerSeconds)} this ` +
        "machine's clock: a proxy writes it.",
      "Synchronize the clock of the proxy's machine (`timedatectl set-ntp true`), or configure the " +
        "proxy to forward the header.",
    );
  }
  return ok(`Clocks match (${Math.abs(serverSeconds).toFixed(1)} s apart).`);
}

function isOff(seconds: number): boolean {
  return Math.abs(seconds) > maxDifferenceSeconds;
}

function offText(seconds: number): string {
  return `${Math.round(Math.abs(seconds))} s ${seconds > 0 ? "ahead of" : "behind"}`;
}
