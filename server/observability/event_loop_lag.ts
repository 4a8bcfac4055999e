import { Histogram, type Registry } from "prom-client";

/** The time between two measurements, in milliseconds. */
const intervalMs = 100;

/** The time source of the measurement; tests replace it. */
export interface LagClock {
  /** In milliseconds, from any origin. */
  now(): number;
  /**
   * Starts a timer that does not keep the process alive.
   *
   * @returns cancels it.
   */
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

/** A measurement that runs. */
export interface EventLoopWatch {
  /** How late the last timer was, in milliseconds. */
  readonly lagMs: number;
  /** Ends it. */
  stop(): void;
}

/**
 * Measures by how much timers of the event loop are late. `monitorEventLoopDelay` of `node:perf_hooks`
 * cannot be used: in Deno it stays below 2 ms while the loop is blocked for 300.
 */
export function watchEventLoop(
  registry: Registry,
  clock: LagClock = systemClock,
): EventLoopWatch {
  const lag = new Histogram({
    name: "rollcall_event_loop_lag_seconds",
    help: "Delay of timers of the event loop, measured ten times a second",
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  let cancel: () => void;
  let lagMs = 0;
  const wait = () => {
    const due = clock.now() + intervalMs;
    cancel = clock.after(intervalMs, () => {
      lagMs = Math.max(0, clock.now() - due);
      lag.observe(lagMs / 1_000);
      wait();
    });
  };
  wait();
  return {
    get lagMs() {
      return lagMs;
    },
    stop: () => cancel(),
  };
}
