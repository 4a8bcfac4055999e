import type { Clock } from "../realtime/timing/clock.ts";

/** How a queue writes. */
export interface WriteQueueOptions<Item> {
  /** Stores items, all or none of them. */
  write(items: Item[]): Promise<void>;
  /** Hears why a write failed; it is tried again. */
  failed(error: unknown): void;
  clock: Clock;
  /** Items of one write at most. */
  batchSize: number;
  /** Items that wait at most; beyond, the oldest are lost. */
  capacity: number;
  /** How long an item waits for others at most, in ms. */
  delayMs: number;
}

/** Between attempts on a database that fails the time doubles, up to this or `delayMs`. */
const longestDelayMs = 30_000;

/**
 * Takes items without waiting and without ever failing, and stores them in order soon after, many at
 * a time. While the database fails they wait for the next attempt.
 */
export class WriteQueue<Item> {
  readonly #options: WriteQueueOptions<Item>;
  #items: Item[] = [];
  #underWay: Item[] = [];
  #writing: Promise<void> | undefined;
  #cancelWake: (() => void) | undefined;
  #failures = 0;
  #lost = 0;
  #stopped = false;

  constructor(options: WriteQueueOptions<Item>) {
    this.#options = options;
  }

  /** What is not stored yet, in order. */
  get waiting(): Item[] {
    return [...this.#underWay, ...this.#items];
  }

  /** How many items were dropped because too many waited. */
  get lost(): number {
    return this.#lost;
  }

  /** Stores an item soon, before any that is added later. */
  add(item: Item): void {
    this.#items.push(item);
    this.#dropOldest();
    this.#schedule();
  }

  /** Makes one attempt to store all that waits; ends after it, whatever came of it. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
    await this.#write();
  }

  /** Flushes; from then on nothing is tried again. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelWake?.();
    this.#cancelWake = undefined;
    await this.flush();
  }

  #schedule(): void {
    if (this.#stopped || this.#writing || this.#cancelWake || this.#items.length === 0) return;
    const { clock, delayMs } = this.#options;
    const backedOffMs = Math.min(delayMs * 2 ** this.#failures, Math.max(delayMs, longestDelayMs));
    this.#cancelWake = clock.after(backedOffMs, () => this.#write());
  }

  #write(): Promise<void> {
    this.#cancelWake?.();
    this.#cancelWake = undefined;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
      this.#schedule();
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#items.length > 0) {
      this.#underWay = this.#items.splice(0, this.#options.batchSize);
      try {
        await this.#options.write(this.#underWay);
        this.#underWay = [];
        this.#failures = 0;
      } catch (error) {
        this.#items = this.waiting;
        this.#underWay = [];
        this.#failures++;
        this.#dropOldest();
        this.#options.failed(error);
        return;
      }
    }
  }

  #dropOldest(): void {
    const excess = this.#items.length - this.#options.capacity;
    if (excess <= 0) return;
    this.#items.splice(0, excess);
    this.#lost += excess;
  }
}
