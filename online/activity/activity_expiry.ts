import type { ActivityLog } from "./activity_log.ts";
import { type Clock, systemClock } from "../../realtime/timing/clock.ts";

const dayMs = 24 * 60 * 60_000;

/** How an attendance log expires. */
export interface ActivityExpiryOptions {
  /** How many days entries are kept. */
  days: number;
  /** Hears why old entries could not be deleted; the next day it is tried again. */
  failed(error: unknown): void;
  clock?: Clock;
}

/** Deletes the old entries of an attendance log, now and then once a day. Never throws. */
export class ActivityExpiry {
  readonly #log: Pick<ActivityLog, "forget">;
  readonly #options: ActivityExpiryOptions;
  readonly #clock: Clock;
  #cancel = () => {};
  #deleting: Promise<void> = Promise.resolve();

  constructor(log: Pick<ActivityLog, "forget">, options: ActivityExpiryOptions) {
    this.#log = log;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#delete();
  }

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.#cancel();
    await this.#deleting;
  }

  #delete(): void {
    const { days, failed } = this.#options;
    this.#deleting = this.#log.forget(this.#clock.date() - days * dayMs).catch(failed);
    this.#cancel = this.#clock.after(dayMs, () => this.#delete());
  }
}
