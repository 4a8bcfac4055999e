import type { ActivityLog } from "./activity_log.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";

const dayMs = 24 * 60 * 60_000;

/** Between two looks for old entries, in milliseconds. */
const everyMs = 10 * 60_000;

/** Between two batches, in milliseconds: the embedded database works in the event loop. */
const pauseMs = 20;

/** How entries of the activity log expire. */
export interface ActivityExpiryOptions {
  /** Entries are kept for this many days. */
  days: number;
  /** Called when old entries cannot be deleted; the next attempt is ten minutes later. */
  failed(error: unknown): void;
  clock?: Clock;
}

/**
 * Deletes old entries of the activity log: at its start and then every ten minutes, a batch at a time, with
 * a pause after each. Never throws.
 */
export class ActivityExpiry {
  readonly #log: Pick<ActivityLog, "forgetSome">;
  readonly #options: ActivityExpiryOptions;
  readonly #clock: Clock;
  #cancel = () => {};
  #isStopped = false;
  #deleting: Promise<void> = Promise.resolve();

  constructor(log: Pick<ActivityLog, "forgetSome">, options: ActivityExpiryOptions) {
    this.#log = log;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#delete();
  }

  /** Deletes no more. Resolves when a batch that has begun has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#deleting;
  }

  #delete(): void {
    this.#deleting = this.#deleteSome().then((isDone) => {
      if (this.#isStopped) return;
      this.#cancel = this.#clock.after(isDone ? everyMs : pauseMs, () => this.#delete());
    });
  }

  /** @returns whether nothing is left to do for now */
  async #deleteSome(): Promise<boolean> {
    const { days, failed } = this.#options;
    try {
      return await this.#log.forgetSome(this.#clock.date() - days * dayMs);
    } catch (error) {
      failed(error);
      return true;
    }
  }
}
