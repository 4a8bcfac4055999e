/** What tells the time and wakes up; tests put in their own. */
export interface Clock {
  /** Milliseconds; only differences count. */
  now(): number;
  /** The time of the day, in milliseconds since 1970; it may be set back. */
  date(): number;
  /** Calls back after so many milliseconds, unless the returned function is called first. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The real clock; it never runs backwards. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};
