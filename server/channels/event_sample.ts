/** Events of one interval that are shown, and those of one name among them. */
export const mostShown = { all: 8, ofOneName: 4 };

/**
 * Chooses the events that are shown of an interval: the first ones, and few of each name, so that a
 * rare event is seen among many others. An event that is not shown is only counted.
 */
export class EventSample {
  readonly #shown = new Map<string, number>();
  #total = 0;
  #skipped = 0;

  /** Takes an event into account. @returns whether it is shown */
  take(name: string): boolean {
    const before = this.#shown.get(name) ?? 0;
    if (this.#total >= mostShown.all || before >= mostShown.ofOneName) {
      this.#skipped++;
      return false;
    }
    this.#shown.set(name, before + 1);
    this.#total++;
    return true;
  }

  /** Begins the next interval. @returns the number of events that were not shown */
  next(): number {
    const skipped = this.#skipped;
    this.#shown.clear();
    this.#total = this.#skipped = 0;
    return skipped;
  }
}
