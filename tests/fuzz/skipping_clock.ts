import { type Clock, systemClock } from "@/realtime/timing/clock.ts";

/** The real clock, of which a test can skip a part. */
export class SkippingClock implements Clock {
  #skipped = 0;
  readonly #waiting = new Set<{ at: number; run: () => void; cancel: () => void }>();

  now = (): number => systemClock.now() + this.#skipped;

  date = (): number => systemClock.date() + this.#skipped;

  after = (milliseconds: number, callback: () => void): () => void => {
    const run = () => {
      this.#waiting.delete(timer);
      callback();
    };
    const cancel = systemClock.after(milliseconds, run);
    const timer = { at: this.now() + milliseconds, run, cancel };
    this.#waiting.add(timer);
    return () => {
      cancel();
      this.#waiting.delete(timer);
    };
  };

  /** Advances by this much at once: timers that fall due run now, in order, at their time. */
  skip(milliseconds: number): void {
    const end = this.now() + milliseconds;
    while (true) {
      const [next] = [...this.#waiting].sort((one, other) => one.at - other.at);
      if (!next || next.at > end) break;
      this.#skipped += Math.max(0, next.at - this.now());
      next.cancel();
      next.run();
    }
    this.#skipped += Math.max(0, end - this.now());
  }
}
