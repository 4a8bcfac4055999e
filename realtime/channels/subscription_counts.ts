import type { Clock } from "../timing/clock.ts";
import { PacedCounts } from "./paced_counts.ts";

/** A channel of over 100 subscribers is sent its count at most once in this many milliseconds (Pusher: 5 s). */
const intervalMs = 5_000;

/** A channel, as the counts see it. */
interface Counted {
  readonly subscribers: { readonly size: number };
}

/** Decides when a channel's subscribers are sent their number. */
export function subscriptionCounts<C extends Counted>(
  send: (channel: C) => void,
  clock: Clock,
): PacedCounts<C> {
  const receivers = ({ subscribers }: C) => subscribers.size;
  return new PacedCounts({ intervalMs: () => intervalMs, receivers, send, clock });
}
