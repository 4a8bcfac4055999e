/** How a queue writes its items. */
export interface WriteQueueOptions<Item> {
  /** Stores all of the items, or none. */
  write(items: Item[]): Promise<void>;
  /** Called when a write failed; the queue retries it. */
  failed(error: unknown): void;
  clock: {
    /** Starts a timer. @returns cancels it. */
    after(milliseconds: number, callback: () => void): () => void;
  };
  /** Maximum number of items of a write. */
  batchSize: number;
  /** Maximum number of waiting items; further ones replace the oldest, which are lost. */
  capacity: number;
  /** How long an item waits for further ones, in milliseconds. */
  delayMs: number;
}

/** After each failed write the delay doubles, up to the greater of this and `delayMs`. */
const maxRetryDelayMs = 30_000;

/**
 * Accepts items synchronously, and stores them soon after, in order and in batches. While the database
 * fails, items wait for the next attempt.
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

  /** The items that are not stored yet, in order. */
  get waiting(): Item[] {
    return [...this.#underWay, ...this.#items];
  }

  /** How many items were dropped beyond the capacity. */
  get lost(): number {
    return this.#lost;
  }

  /** Adds an item, which is stored before all later ones. */
  add(item: Item): void {
    this.#items.push(item);
    this.#dropOldest();
    this.#schedule();
  }

  /** Makes one attempt to store all waiting items, and resolves also if it fails. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
    await this.#write();
  }

  /** Flushes, and makes no further attempts. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelWake?.();
    this.#cancelWake = undefined;
    await this.flush();
  }

  #schedule(): void {
    if (this.#stopped || this.#writing || this.#cancelWake || this.#items.length === 0) return;
    const { clock, delayMs } = this.#options;
    const backedOffMs = Math.min(delayMs * 2 ** this.#failures, Math.max(delayMs, maxRetryDelayMs));
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
