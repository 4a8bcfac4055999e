import { timeOf } from "./log_entry.ts";
import type { SharedLog } from "../engine.ts";

/** Entries of one command. */
const mostAtATime = 1_000;

/** How long entries stay in the log after they are done with, in milliseconds, so that an operator can look into it. */
const keptMs = 60_000;

/** Which entries of the log were handed out, and which of them are done with. */
export class Acknowledgements {
  readonly #shared: SharedLog;
  /** Handed out and not done with, in their order. */
  readonly #open = new Set<string>();
  #done: string[] = [];
  #newest = "0-0";
  #trimmedTo = 0;

  constructor(shared: SharedLog) {
    this.#shared = shared;
  }

  /** How many entries are handed out and not done with. */
  get open(): number {
    return this.#open.size;
  }

  /** An entry is handed out. */
  began(id: string): void {
    this.#open.add(id);
    this.#newest = id;
  }

  /** An entry is done with. */
  ended(id: string): void {
    this.#open.delete(id);
    this.#done.push(id);
  }

  /** The log is a new one: what was done with in the previous one cannot be acknowledged. */
  forget(): void {
    this.#open.clear();
    this.#done = [];
    this.#newest = "0-0";
    this.#trimmedTo = 0;
  }

  /** Acknowledges what is done with. @throws {Error} when the log is not reached; the next call repeats it. */
  async send(): Promise<void> {
    while (this.#done.length > 0) {
      const some = this.#done.slice(0, mostAtATime);
      await this.#shared.acknowledge(some);
      this.#done.splice(0, some.length);
    }
  }

  /** Removes entries from the log that are done with, all at once now and then. @throws as {@link send} */
  async trim(): Promise<void> {
    const [oldest = this.#newest] = this.#open;
    const to = Math.min(timeOf(oldest), timeOf(this.#newest) - keptMs);
    if (to < this.#trimmedTo + keptMs / 2) return;
    await this.#shared.trim(to);
    this.#trimmedTo = to;
  }
}
