/** Counts what happens within one second of the clock. */
export class PerSecond {
  #second = -1;
  #count = 0;

  /**
   * Counts one more, and says whether it is within the limit.
   *
   * @param now in milliseconds.
   * @param most so many a second; 0: no limit.
   */
  allows(now: number, most: number): boolean {
    if (most === 0) return true;
    const second = Math.floor(now / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#count = 0;
    }
    return ++this.#count <= most;
  }
}
