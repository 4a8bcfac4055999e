import type { Clock } from "@/realtime/timing/clock.ts";
import {
  beginRecovery,
  byClock,
  continueRecovery,
  type Recovery,
  recoveryEnd,
} from "@/shared/recovery.ts";
import type { Servers } from "./servers.ts";

/** Options of a {@link RecoveryWatch}. */
export interface RecoveryWatchOptions {
  /** How many users were online when the server before ended; 0 when there was none. */
  before: number;
  /** Where another server has all its users, none has to come back. */
  servers: Servers;
  presence: () => { users: number };
  /** Calls a listener at each change. @returns unsubscribe */
  onPresence: (listener: (counts: { users: number }) => void) => () => void;
  clock: Clock;
}

/** Follows the recovery of the number of users online, from its construction. */
export class RecoveryWatch {
  readonly #clock: Clock;
  readonly #users: () => number;
  readonly #servers: Servers;
  readonly #stopListening: readonly (() => void)[];
  readonly #waiting = new Set<() => void>();
  #recovery: Recovery | null;
  #cancel = () => {};

  constructor({ before, clock, onPresence, presence, servers }: RecoveryWatchOptions) {
    this.#clock = clock;
    this.#servers = servers;
    this.#users = () => presence().users;
    const { agoMs, uncertainMs } = servers.restart;
    this.#recovery = servers.hasCertainOthers
      ? null
      : beginRecovery(before, this.#users(), clock.now() - agoMs, uncertainMs);
    this.#stopListening = this.#recovery
      ? [onPresence(({ users }) => this.#take(users)), servers.onChange(() => this.#follow())]
      : [];
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
    for (const stop of this.#stopListening) stop();
  }

  #take(users: number): void {
    if (!this.#recovery) return;
    this.#recovery = continueRecovery(this.#recovery, users, this.#clock.now());
    if (!this.#recovery) this.#finish();
  }

  /** Servers that start together recover from the same start to the same end. */
  #follow(): void {
    if (!this.#recovery) return;
    if (this.#servers.hasCertainOthers) {
      this.#recovery = null;
      return this.#finish();
    }
    const { agoMs, uncertainMs } = this.#servers.restart;
    this.#cancel();
    this.#recovery = { ...this.#recovery, startedAt: this.#clock.now() - agoMs, uncertainMs };
    this.#take(this.#users());
    this.#schedule();
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
