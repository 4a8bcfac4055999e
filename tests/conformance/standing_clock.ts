import { ManualClock } from "../realtime/manual_clock.ts";

/** A clock that stands still, while ticks of the event loop go on. */
export class StandingClock extends ManualClock {
  override after(milliseconds: number, callback: () => void): () => void {
    if (milliseconds > 0) return super.after(milliseconds, callback);
    const timer = setTimeout(callback);
    return () => clearTimeout(timer);
  }
}
