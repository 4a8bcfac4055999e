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
