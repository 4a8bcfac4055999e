/** What tells the time of day and wakes up; tests put in their own. */
export interface WallClock {
  /** Milliseconds since 1970. It may be set, forward or back. */
  now(): number;
  /** Calls back after so many milliseconds, unless the returned function is called first. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The system's clock. */
export const wallClock: WallClock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};
