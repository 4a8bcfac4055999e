import type { LoadListener } from "../load_client.ts";

/** How long frames may take to come, in milliseconds. */
const timeoutMs = 60_000;

/** Counts the frames that contain a word, among all that clients receive. */
export class FrameCounter implements LoadListener {
  count = 0;
  /** When the first and the last one came, by `performance.now`. */
  firstAt = 0;
  lastAt = 0;
  readonly #word: string;
  readonly #waiting = new Set<() => void>();
  #rest = "";

  constructor(word: string) {
    this.#word = word;
  }

  received(_bytes: number, chunk: Uint8Array): void {
    const parts = (this.#rest + new TextDecoder().decode(chunk)).split(this.#word);
    // What follows the last one can be the beginning of another.
    this.#rest = parts.at(-1)!.slice(1 - this.#word.length);
    if (parts.length === 1) return;
    this.lastAt = performance.now();
    this.firstAt ||= this.lastAt;
    this.count += parts.length - 1;
    for (const check of this.#waiting) check();
  }

  /**
   * Waits until there are as many as given.
   *
   * @throws {Error} when they do not come
   */
  reach(count: number): Promise<void> {
    if (this.count >= count) return Promise.resolve();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#waiting.delete(check);
      reject(new Error(`Of ${count} frames with ${this.#word}, ${this.count} came`));
    }, timeoutMs);
    const check = () => {
      if (this.count < count) return;
      this.#waiting.delete(check);
      clearTimeout(timer);
      resolve();
    };
    this.#waiting.add(check);
    return promise;
  }

  /** Runs a function and waits until as many more have come as given. */
  async more(count: number, act: () => Promise<unknown>): Promise<void> {
    await Promise.all([this.reach(this.count + count), act()]);
  }
}
