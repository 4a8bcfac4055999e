import { ConcurrencyLimit } from "../network/concurrency_limit.ts";

/**
 * How many passwords are hashed at the same time. Each takes 32 MB, and 0.1 s or more of a core, of which
 * one is left to everything else.
 */
const maxRunning = Math.max(1, Math.min(3, navigator.hardwareConcurrency - 1));

/** Bounds the work that passwords cause: little of it runs at the same time, and little waits. */
export class PasswordWork {
  readonly #admission = new ConcurrencyLimit({ max: 32, maxPerClient: 12, retryAfterSeconds: 5 });
  readonly #waiting: (() => void)[] = [];
  readonly #maxRunning: number;
  #running = 0;

  constructor({ maxRunning: most = maxRunning }: { maxRunning?: number } = {}) {
    this.#maxRunning = most;
  }

  /**
   * Runs work that hashes a password when it is its turn.
   *
   * @param client who causes it; some of the room is left to others.
   * @throws {BusyError} when too much work runs or waits, in all or of this client.
   */
  run<Value>(client: string, work: () => Promise<Value>): Promise<Value> {
    return this.#admission.run(client, async () => {
      if (this.#running < this.#maxRunning) this.#running++;
      else await new Promise<void>((resolve) => this.#waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = this.#waiting.shift();
        if (next) next();
        else this.#running--;
      }
    });
  }
}
