import { Histogram, type Registry } from "prom-client";

/** How often the lag is taken, in milliseconds. */
const intervalMs = 100;

/** What the watch needs of the time; tests put in their own. */
export interface LagClock {
  /** Milliseconds; only differences count. */
  now(): number;
  /** Calls back after so many milliseconds, and keeps no process alive. The answer cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

const systemClock: LagClock = {
  now: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    Deno.unrefTimer(timer);
    return () => clearTimeout(timer);
  },
};

/**
 * Measures how late the event loop comes to what is due. `monitorEventLoopDelay` of `node:perf_hooks`
 * does not tell: in Deno it stays below 2 ms while the loop is blocked for 300.
 *
 * @returns ends it.
 */
export function watchEventLoop(registry: Registry, clock: LagClock = systemClock): () => void {
  const lag = new Histogram({
    name: "rollcall_event_loop_lag_seconds",
    help: "How late the event loop came to a timer that was due, taken ten times a second",
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  let cancel: () => void;
  const wait = () => {
    const due = clock.now() + intervalMs;
    cancel = clock.after(intervalMs, () => {
      lag.observe(Math.max(0, clock.now() - due) / 1_000);
      wait();
    });
  };
  wait();
  return () => cancel();
}
