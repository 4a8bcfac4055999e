import type { Clock } from "@/realtime/timing/clock.ts";
import type { ChannelPresence } from "../presence/channel_presence.ts";
import type { Interval } from "./interval.ts";
import { type Counts, MinuteMeasure, minuteMs } from "./minute_measure.ts";

/** How long the server that leads may take to store a minute that is over, in ms. */
const storedAfterMs = 10_000;

/** How far back it reaches, in ms. */
const keptMs = minuteMs + storedAfterMs;

/**
 * Measures a channel, from its construction on, for the pages of a server that does not lead: the one that
 * leads stores each minute when it is over.
 */
export class RecentMinutes {
  readonly #clock: Clock;
  #counts: Counts;
  #measure: MinuteMeasure;
  /** The end of what is measured. */
  #until: number;
  #finished: Interval[] = [];

  /** Begins with the counts that the channel has now. */
  constructor(presence: Pick<ChannelPresence, "now" | "onPresence">, clock: Clock) {
    this.#clock = clock;
    // Without the ids of all users.
    const { users, connections } = presence.now;
    this.#counts = { users, connections };
    this.#until = clock.date();
    this.#measure = new MinuteMeasure(this.#counts, this.#until);
    presence.onPresence((counts) => this.#changed(counts));
  }

  /** What is measured of the minute that is not over, and before it of one that has just ended. */
  read(): Interval[] {
    this.#advance();
    return [...this.#finished, ...this.#measure.open ? [this.#measure.open] : []];
  }

  #changed({ users, connections }: Counts): void {
    this.#advance();
    this.#counts = { users, connections };
    this.#finished.push(...this.#measure.change(this.#counts, this.#until));
  }

  /** A count that does not change for long holds all the time: no timer has to ask for it. */
  #advance(): void {
    const now = this.#clock.date();
    if (Math.abs(now - this.#until) > keptMs) {
      this.#until = now - keptMs;
      this.#measure = new MinuteMeasure(this.#counts, this.#until);
      this.#finished = [];
    }
    while (this.#until < now) {
      this.#until = Math.min(now, this.#until + minuteMs);
      this.#finished.push(...this.#measure.advance(this.#until));
    }
    this.#finished = this.#finished.filter(({ lastAt }) => lastAt > now - storedAfterMs);
  }
}
