/** The time and its timers; tests pass a clock of their own. */
export interface Clock {
  /** Milliseconds since an arbitrary moment; only differences mean anything. Never runs backwards. */
  now(): number;
  /** The date, in milliseconds since 1970; it may be set back. */
  date(): number;
  /** Calls back after a number of milliseconds. @returns cancel */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};
