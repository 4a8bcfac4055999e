import type { History } from "./stored_history.ts";
import {
  type Counts,
  type Interval,
  MinuteMeasure,
  minuteMs,
  startOfInterval,
} from "./minute_measure.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import { WriteQueue } from "../database/write_queue.ts";
import { type ChannelPresence, followCounts } from "../presence/channel_presence.ts";

/** Minutes that wait for a database that fails, a day; beyond, the oldest are lost. */
const maxWaiting = 24 * 60;

/** Between attempts to write, in ms. */
const retryMs = 1_000;

const thinEveryMs = 60 * minuteMs;

/** A minute that waits to be stored, and whether its number can be believed. */
interface KeptMinute {
  minute: Interval;
  isCertain: boolean;
}

/**
 * Measures how many users are online, from its construction to `stop`, and stores each minute when it is
 * over. Nothing is stored for a time in which it did not run. While the database fails, the minutes of
 * the last day are held. Deletes old intervals once an hour, and the rest of very many in the minutes after.
 */
export class HistoryRecorder {
  readonly #history: History;
  readonly #failed: (error: unknown) => void;
  readonly #clock: Clock;
  readonly #isCertain: () => boolean;
  readonly #measure: MinuteMeasure;
  readonly #minutes: WriteQueue<KeptMinute>;
  /** Whether the number could be believed at each look at it since the last minute. */
  #wasCertain = true;
  #cancelTick: (() => void) | undefined;
  /** Whether old intervals may be left. */
  #mayThin = false;

  /**
   * Starts measuring with these counts.
   *
   * @param failed called when the history cannot be written; the write is retried.
   * @param isCertain whether the number can be believed now: otherwise its minute makes no record.
   */
  constructor(
    counts: Counts,
    history: History,
    failed: (error: unknown) => void,
    clock: Clock = systemClock,
    isCertain: () => boolean = () => true,
  ) {
    this.#history = history;
    this.#failed = failed;
    this.#clock = clock;
    this.#isCertain = isCertain;
    this.#measure = new MinuteMeasure(counts, this.#clock.date());
    this.#minutes = new WriteQueue<KeptMinute>({
      write: ([kept]) => this.#store(kept),
      failed,
      clock: this.#clock,
      batchSize: 1,
      capacity: maxWaiting,
      delayMs: retryMs,
    });
    this.#scheduleTick();
  }

  /** What is measured up to now and not stored yet, for reading the history. */
  unsaved(): Interval[] {
    this.#keep(this.#measure.advance(this.#clock.date()));
    const waiting = this.#minutes.waiting.map(({ minute }) => minute);
    return [...waiting, ...this.#measure.open ? [this.#measure.open] : []];
  }

  /** Takes new counts. Never throws. */
  changed(counts: Counts, at: number = this.#clock.date()): void {
    this.#keep(this.#measure.change(counts, at));
  }

  /** Stores what was measured up to now, as far as the database allows. Never rejects. */
  async stop(): Promise<void> {
    this.#cancelTick?.();
    this.#keep(this.#measure.finish(this.#clock.date()));
    await this.#minutes.stop();
  }

  #scheduleTick(): void {
    const now = this.#clock.date();
    const wait = startOfInterval(now, minuteMs) + minuteMs - now;
    this.#cancelTick = this.#clock.after(wait, () => {
      this.#keep(this.#measure.advance(this.#clock.date()));
      this.#scheduleTick();
    });
  }

  #keep(finished: Interval[]): void {
    const isNow = this.#isCertain();
    const isCertain = this.#wasCertain && isNow;
    for (const minute of finished) this.#minutes.add({ minute, isCertain });
    this.#wasCertain = finished.length > 0 ? isNow : isCertain;
  }

  async #store({ minute, isCertain }: KeptMinute): Promise<void> {
    await this.#history.record(minute, isCertain);
    if (minute.startsAt % thinEveryMs === 0) this.#mayThin = true;
    if (!this.#mayThin) return;
    try {
      this.#mayThin = !await this.#history.thinSome(minute.startsAt);
    } catch (error) {
      // The minute itself is stored and must not be written again.
      this.#mayThin = false;
      this.#failed(error);
    }
  }
}

/** How long the leader may take to store a minute that is over, in ms. */
const storedAfterMs = 10_000;

/** How far back it reaches, in ms. */
const keptMs = minuteMs + storedAfterMs;

/**
 * Measures a channel, from its construction on, for the pages of a server that is not the leader: the
 * leader stores each minute when it is over.
 */
export class RecentMinutes {
  readonly #clock: Clock;
  #counts: Counts;
  #measure: MinuteMeasure;
  /** The end of what is measured. */
  #until: number;
  #finished: Interval[] = [];

  /** Begins with the counts that the channel has now. */
  constructor(presence: ChannelPresence, clock: Clock) {
    this.#clock = clock;
    // Without the ids of all users.
    const { users, guests, connections } = presence.now;
    this.#counts = { users, guests, connections, active: presence.active };
    this.#until = clock.date();
    this.#measure = new MinuteMeasure(this.#counts, this.#until);
    followCounts(presence, (counts) => this.#changed(counts));
  }

  /** What is measured of the minute that is not over, and before it of one that has just ended. */
  read(): Interval[] {
    this.#advance();
    return [...this.#finished, ...this.#measure.open ? [this.#measure.open] : []];
  }

  #changed(counts: Counts): void {
    this.#advance();
    this.#counts = counts;
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
