import type { DatabaseUnavailable } from "./unavailable.ts";

/** What is wrong with a database. */
export interface Outage {
  /** A few words for people, without secrets. */
  reason: string;
  /** In ms since 1970. */
  since: number;
  /** Whether data can still be read. */
  isReadable: boolean;
}

/** Called when an outage begins, and with the one that is over. */
export interface OutageListener {
  began(outage: Outage): void;
  ended(outage: Outage): void;
}

/** A success so soon after a failure, in ms, may be of a statement that ran before it. */
const settlingMs = 1_000;

/**
 * Knows from the outcome of every statement whether the database works. It makes no attempts of its own:
 * a server uses its database every few seconds.
 */
export class Outages {
  #current: Outage | null = null;
  #count = 0;
  #failedAt = 0;
  #listener: OutageListener | undefined;
  readonly #now: () => number;

  /** @param now in ms since 1970. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** What is wrong now; null while the database works. */
  get current(): Outage | null {
    return this.#current;
  }

  /** How many outages began. */
  get count(): number {
    return this.#count;
  }

  /** Sets the listener, and notifies it of an outage that has begun already. */
  listen(listener: OutageListener): void {
    this.#listener = listener;
    if (this.#current) listener.began(this.#current);
  }

  /** A statement failed because of the database. */
  failed({ reason, isReadable }: DatabaseUnavailable): void {
    this.#failedAt = this.#now();
    // The worse of two: a full disk does not end while the server cannot be reached.
    if (this.#current && (isReadable || !this.#current.isReadable)) return;
    const since = this.#current?.since ?? this.#failedAt;
    this.#count += this.#current ? 0 : 1;
    this.#current = { reason, since, isReadable };
    this.#listener?.began(this.#current);
  }

  /** A statement succeeded. @param hasWritten whether it changed data for good. */
  succeeded(hasWritten: boolean): void {
    if (!this.#current || this.#now() - this.#failedAt < settlingMs) return;
    if (this.#current.isReadable && !hasWritten) return;
    const ended = this.#current;
    this.#current = null;
    this.#listener?.ended(ended);
  }
}
