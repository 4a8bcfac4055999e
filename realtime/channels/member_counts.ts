import type { Clock } from "../timing/clock.ts";
import { PacedCounts } from "./paced_counts.ts";

/** A channel of over 100 members is sent its count at most once in this many milliseconds. */
const leastIntervalMs = 1_000;

/** Connections that a channel's count is sent to each second: at 8 µs of CPU each, a sixth of a core. */
const mostPerSecond = 20_000;

/** A presence channel, as the counts see it. */
interface Counted {
  readonly quiet: { readonly size: number; sendCount(): void };
  readonly members: { readonly size: number };
}

/** Decides when a presence channel's quiet subscribers are sent the number of members. */
export function memberCounts<C extends Counted>(clock: Clock): PacedCounts<C> {
  return new PacedCounts({
    intervalMs: ({ quiet }) => Math.max(leastIntervalMs, quiet.size / mostPerSecond * 1_000),
    receivers: ({ quiet }) => quiet.size,
    size: ({ members, quiet }) => Math.max(members.size, quiet.size),
    send: ({ quiet }) => quiet.sendCount(),
    clock,
  });
}
