import type { Clock } from "../../timing/clock.ts";

/** Clocks that differ from what was known by less are taken for unchanged, in milliseconds. */
const jitterMs = 1_000;

/**
 * How far the clocks of other servers are behind this one's. An answer takes a moment, so each gives another
 * number: the first is kept as long as it is about right, so that what happened at one time keeps its time.
 */
export class ClockOffsets {
  readonly #clock: Pick<Clock, "date">;
  readonly #offsets = new Map<string, number>();

  constructor(clock: Pick<Clock, "date">) {
    this.#clock = clock;
  }

  /** Milliseconds to add to the times of a server. @param now its date, as it answered */
  offsetOf(server: string, now: number): number {
    const offset = Math.round(this.#clock.date() - now);
    const known = this.#offsets.get(server) ?? 0;
    if (Math.abs(offset - known) < jitterMs) return known;
    // Servers come and go, and each has another number.
    if (this.#offsets.size >= mostServers) this.#offsets.clear();
    this.#offsets.set(server, offset);
    return offset;
  }
}

const mostServers = 1_000;
