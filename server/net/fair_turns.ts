import { setImmediate } from "node:timers";

/** Requests that begin in one tick of the event loop: some milliseconds of work. */
const mostPerTick = 20;

/**
 * Spreads the beginning of work that comes all at once: some of it begins in each tick of the event loop, of
 * the clients in rotation. What a client asks for while others send hundreds at once waits for a tick and not
 * for all of theirs. While little comes, nothing waits.
 */
export class FairTurns {
  /** What waits, in the order in which it came, by client; the client whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #most: number;
  readonly #afterTick: (call: () => void) => void;
  #left: number;
  #isTickAwaited = false;

  /** @param afterTick calls a function once, when other work had its turn. */
  constructor(most = mostPerTick, afterTick: (call: () => void) => void = setImmediate) {
    this.#most = most;
    this.#left = most;
    this.#afterTick = afterTick;
  }

  /** The number of turns that are waited for. */
  get waiting(): number {
    return this.#waiting.values().reduce((sum, { length }) => sum + length, 0);
  }

  /** Takes a turn of a client. @returns what to wait for before the work begins; undefined: nothing */
  take(client: string): Promise<void> | undefined {
    this.#awaitTick();
    if (this.#left > 0) {
      this.#left--;
      return undefined;
    }
    return new Promise((begin) => {
      const others = this.#waiting.get(client);
      if (others) others.push(begin);
      else this.#waiting.set(client, [begin]);
    });
  }

  #awaitTick(): void {
    if (this.#isTickAwaited) return;
    this.#isTickAwaited = true;
    this.#afterTick(() => this.#begin());
  }

  #begin(): void {
    this.#isTickAwaited = false;
    this.#left = this.#most;
    while (this.#left > 0 && this.#waiting.size > 0) {
      this.#left--;
      const [[client, turns]] = this.#waiting;
      this.#waiting.delete(client);
      const begin = turns.shift();
      if (turns.length > 0) this.#waiting.set(client, turns);
      begin?.();
    }
    if (this.#left < this.#most) this.#awaitTick();
  }
}
