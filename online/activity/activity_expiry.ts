import type { ActivityLog } from "./activity_log.ts";
import { type Clock, systemClock } from "../../realtime/timing/clock.ts";

const dayMs = 24 * 60 * 60_000;

/** How entries of the activity log expire. */
export interface ActivityExpiryOptions {
  /** Entries are kept for this many days. */
  days: number;
  /** Called when old entries cannot be deleted; the next attempt is a day later. */
  failed(error: unknown): void;
  clock?: Clock;
}

/** Deletes old entries of the activity log: at its start and then once a day. Never throws. */
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

  /** Deletes no more. Resolves when a deletion that has begun has ended. */
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
