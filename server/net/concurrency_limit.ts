import { BusyError } from "./busy_error.ts";

/** Options of a {@link ConcurrencyLimit}. */
export interface ConcurrencyLimitOptions {
  /** How many there may be at the same time. */
  max: number;
  /** How many of those may be of one client, so that others always find room. */
  maxPerClient: number;
  /** When one that is refused is likely to find room, in seconds. */
  retryAfterSeconds: number;
}

/** Limits how much of one kind of work is begun and not yet ended, in all and for each client. */
export class ConcurrencyLimit {
  readonly #options: ConcurrencyLimitOptions;
  readonly #ofClient = new Map<string, number>();
  #count = 0;

  constructor(options: ConcurrencyLimitOptions) {
    this.#options = options;
  }

  /** How much is begun and not yet ended. */
  get count(): number {
    return this.#count;
  }

  /** Whether there is room for work of a client now. */
  hasRoom(client: string): boolean {
    const { max, maxPerClient } = this.#options;
    return this.#count < max && (this.#ofClient.get(client) ?? 0) < maxPerClient;
  }

  /**
   * Runs work within the limit.
   *
   * @param client what counts as one client.
   * @throws {BusyError} when there is no room for it.
   */
  async run<Value>(client: string, work: () => Promise<Value>): Promise<Value> {
    if (!this.hasRoom(client)) throw new BusyError(this.#options.retryAfterSeconds);
    this.#count++;
    this.#ofClient.set(client, (this.#ofClient.get(client) ?? 0) + 1);
    try {
      return await work();
    } finally {
      this.#count--;
      const left = this.#ofClient.get(client)! - 1;
      if (left > 0) this.#ofClient.set(client, left);
      else this.#ofClient.delete(client);
    }
  }
}
