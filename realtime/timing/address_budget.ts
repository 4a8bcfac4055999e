import { type Budget, TokenBucket } from "./token_bucket.ts";

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
