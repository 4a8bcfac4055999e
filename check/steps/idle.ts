import { left, type Step } from "../step.ts";
import { codeOf } from "../printable.ts";
import { failed, ok, type Verdict } from "../verdict.ts";

/** A socket on which nobody says anything stays open. */
export const idleStep: Step = {
  name: "quiet",
  title: "Quiet socket",
  needs: ["signature"],
  async run({ client: opened, quietMs, patienceMs }) {
    const client = left(opened);
    const start = performance.now();
    await client.closed(quietMs);
    const seconds = (performance.now() - start) / 1_000;
    if (client.closing) return quietVerdict({ seconds, isOpen: false });
    client.send("pusher:ping", {});
    try {
      await client.next(({ event }) => event === "pusher:pong", patienceMs);
      return quietVerdict({ seconds, isOpen: true });
    } catch (error) {
      return quietVerdict({ seconds, isOpen: true, silence: codeOf(error) });
    }
  },
};

/**
 * Judges a socket that was left alone for so many seconds.
 *
 * @param seen.silence why no answer came to a ping afterwards.
 */
export function quietVerdict(
  { seconds, isOpen, silence }: { seconds: number; isOpen: boolean; silence?: string },
): Verdict {
  const time = `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  if (isOpen && silence === undefined) return ok(`It is open after ${time} without a word.`);
  return failed(
    isOpen
      ? `After ${time} without a word nothing comes through any more (${silence}).`
      : `The socket is closed after ${time} without a word.`,
    "Let the proxy wait longer than the 12.5 s between two pings of the server.",
    "nginx: `proxy_read_timeout 90s;`",
    "Apache: `Timeout 90`",
    "A load balancer has an idle time-out of its own: raise it.",
  );
}
