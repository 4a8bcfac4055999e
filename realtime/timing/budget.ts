/** A budget that is spent at once or little by little, and fills up again. */
export interface Budget {
  /** What can be spent at once. */
  burst: number;
  /** What is added per second, up to the burst. */
  perSecond: number;
}

/** What is left of a budget; full at first. */
export class TokenBucket {
  #spent = 0;
  #at = 0;

  /**
   * Spends from the budget, unless nothing is left of it. One that costs more than is left is allowed,
   * and makes the next ones wait for longer.
   *
   * @param now in milliseconds.
   */
  take(now: number, { burst, perSecond }: Budget, cost = 1): boolean {
    this.#spent = Math.max(0, this.#spent - (now - this.#at) * perSecond / 1_000);
    this.#at = now;
    if (this.#spent >= burst) return false;
    this.#spent += cost;
    return true;
  }

  /** Whether the budget is full again. */
  isFull(now: number, { perSecond }: Budget): boolean {
    return this.#spent <= (now - this.#at) * perSecond / 1_000;
  }
}

/** With fewer addresses than this, none is looked for that could be forgotten. */
const leastToSweep = 1_000;

/** A budget for each remote address. It keeps an address only until its budget is full again. */
export class AddressBudget {
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #budget: Budget;
  #sweepAt = leastToSweep;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** The number of addresses that are kept. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Spends from the budget of an address; see {@link TokenBucket.take}. */
  take(address: string, now: number, cost: number): boolean {
    const bucket = this.#buckets.get(address) ?? this.#add(address, now);
    return bucket.take(now, this.#budget, cost);
  }

  #add(address: string, now: number): TokenBucket {
    if (this.#buckets.size >= this.#sweepAt) this.#sweep(now);
    const bucket = new TokenBucket();
    this.#buckets.set(address, bucket);
    return bucket;
  }

  #sweep(now: number): void {
    for (const [address, bucket] of this.#buckets) {
      if (bucket.isFull(now, this.#budget)) this.#buckets.delete(address);
    }
    this.#sweepAt = Math.max(leastToSweep, 2 * this.#buckets.size);
  }
}

/** Limits how often something happens within each second of the clock. */
export class RateLimiter {
  #second = -1;
  #count = 0;

  /**
   * Counts one.
   *
   * @param now in milliseconds.
   * @param max the limit per second; 0: none, and nothing is counted.
   * @returns whether it is within the limit.
   */
  allows(now: number, max: number): boolean {
    if (max === 0) return true;
    const second = Math.floor(now / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#count = 0;
    }
    return ++this.#count <= max;
  }
}
