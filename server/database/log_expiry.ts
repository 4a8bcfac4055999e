import { type Clock, systemClock } from "@/realtime/timing/clock.ts";

const dayMs = 24 * 60 * 60_000;

/** Between two looks for old entries, in milliseconds. */
const everyMs = 10 * 60_000;

/** Between two batches, in milliseconds: the embedded database works in the event loop. */
const pauseMs = 20;

/** A log of which old entries go. */
export interface ExpiringLog {
  /** Deletes some entries from before a time in ms since 1970. @returns whether none is left to delete */
  forgetSome(olderThan: number): Promise<boolean>;
}

/**
 * Deletes old entries of a log: at its start and then every ten minutes, a batch at a time, with a pause after
 * each. Never throws.
 */
export class LogExpiry {
  readonly #log: ExpiringLog;
  readonly #days: number;
  readonly #failed: (error: unknown) => void;
  readonly #clock: Clock;
  #cancel = () => {};
  #isStopped = false;
  #deleting: Promise<void> = Promise.resolve();

  /**
   * @param days entries are kept for this many days.
   * @param failed called when old entries cannot be deleted; the next attempt is ten minutes later.
   */
  constructor(
    log: ExpiringLog,
    days: number,
    failed: (error: unknown) => void,
    clock: Clock = systemClock,
  ) {
    this.#log = log;
    this.#days = days;
    this.#failed = failed;
    this.#clock = clock;
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
    try {
      return await this.#log.forgetSome(this.#clock.date() - this.#days * dayMs);
    } catch (error) {
      this.#failed(error);
      return true;
    }
  }
}
