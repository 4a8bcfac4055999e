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
