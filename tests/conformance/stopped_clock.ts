import { ManualClock } from "../realtime/manual_clock.ts";

/** A stopped clock, while ticks of the event loop go on. */
export class StoppedClock extends ManualClock {
  override after(milliseconds: number, callback: () => void): () => void {
    if (milliseconds > 0) return super.after(milliseconds, callback);
    const timer = setTimeout(callback);
    return () => clearTimeout(timer);
  }
}
