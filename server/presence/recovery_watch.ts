import type { Clock } from "@/realtime/timing/clock.ts";
import {
  beginRecovery,
  byClock,
  continueRecovery,
  type Recovery,
  recoveryEnd,
} from "@/shared/recovery.ts";

/** Options of a {@link RecoveryWatch}. */
export interface RecoveryWatchOptions {
  /** How many users were online when the server before ended; 0 when there was none. */
  before: number;
  /** For how long the number may contain users of servers that ended, in milliseconds. Default 0. */
  uncertainMs?: number;
  presence: () => { users: number };
  /** Calls a listener at each change. @returns unsubscribe */
  onPresence: (listener: (counts: { users: number }) => void) => () => void;
  clock: Clock;
}

/** Follows the recovery of the number of users online, from its construction. */
export class RecoveryWatch {
  readonly #clock: Clock;
  readonly #users: () => number;
  readonly #stopListening: () => void;
  readonly #waiting = new Set<() => void>();
  #recovery: Recovery | null;
  #cancel = () => {};

  constructor({ before, clock, onPresence, presence, uncertainMs = 0 }: RecoveryWatchOptions) {
    this.#clock = clock;
    this.#users = () => presence().users;
    this.#recovery = beginRecovery(before, this.#users(), clock.now(), uncertainMs);
    this.#stopListening = this.#recovery ? onPresence(({ users }) => this.#take(users)) : () => {};
    this.#schedule();
  }

  /**
   * The recovery for pages, with times relative to now; null when it is over. One of a single user is
   * not shown: the number of a start without users before is right from the beginning.
   */
  get shown(): Recovery | null {
    const recovery = this.#recovery;
    return recovery && recovery.expected > 1 ? byClock(recovery, -this.#clock.now()) : null;
  }

  /** Whether it is over. */
  get isOver(): boolean {
    return this.#recovery === null;
  }

  /** Calls back once, when the recovery is over; at once if it is. @returns unsubscribe */
  whenOver(callback: () => void): () => void {
    if (this.#recovery) this.#waiting.add(callback);
    else callback();
    return () => this.#waiting.delete(callback);
  }

  /** Follows no more, and calls nothing back. */
  stop(): void {
    this.#cancel();
    this.#stopListening();
  }

  #take(users: number): void {
    if (!this.#recovery) return;
    this.#recovery = continueRecovery(this.#recovery, users, this.#clock.now());
    if (!this.#recovery) this.#finish();
  }

  #schedule(): void {
    if (!this.#recovery) return;
    const now = this.#clock.now();
    const certainAt = this.#recovery.startedAt + this.#recovery.uncertainMs;
    const wait = (now < certainAt ? certainAt : recoveryEnd(this.#recovery)) - now;
    this.#cancel = this.#clock.after(Math.max(0, wait), () => {
      this.#take(this.#users());
      // The number may have grown meanwhile, and a timer can run a moment early.
      this.#schedule();
    });
  }

  #finish(): void {
    this.stop();
    for (const callback of [...this.#waiting]) callback();
  }
}
