import { errorCode } from "../printable.ts";
import { required, type Step } from "../step.ts";
import { failed, ok, type Verdict } from "../verdict.ts";

/** Passes when a WebSocket without traffic stays open, and works afterwards. */
export const idleStep: Step = {
  name: "idle",
  title: "Idle connection",
  needs: ["signature"],
  async run(context) {
    const { idleMs, timeoutMs } = context;
    const client = required(context.client);
    const start = performance.now();
    await client.waitForClose(idleMs);
    const seconds = (performance.now() - start) / 1_000;
    if (client.closed) return idleVerdict({ seconds, isOpen: false });
    client.send("pusher:ping", {});
    try {
      await client.next(({ event }) => event === "pusher:pong", timeoutMs);
      return idleVerdict({ seconds, isOpen: true });
    } catch (error) {
      return idleVerdict({ seconds, isOpen: true, silence: errorCode(error) });
    }
  },
};

/**
 * Judges a WebSocket that was left idle.
 *
 * @param outcome.silence why the ping afterwards got no answer; absent when it got one.
 */
export function idleVerdict(
  { seconds, isOpen, silence }: { seconds: number; isOpen: boolean; silence?: string },
): Verdict {
  const time = `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  if (isOpen && silence === undefined) return ok(`Connection stays open when idle (${time}).`);
  return failed(
    isOpen
      ? `After ${time} without traffic, messages no longer get through (${silence}).`
      : `The connection was closed after ${time} without traffic.`,
    "Configure the proxy to wait longer than the 12.5 s between two pings of the server.",
    "nginx: `proxy_read_timeout 90s;`",
    "Apache: `Timeout 90`",
    "A load balancer has an idle timeout of its own: raise it.",
  );
}
