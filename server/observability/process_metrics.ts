import process from "node:process";
import { Histogram, type Registry } from "prom-client";
import { version } from "@/shared/version.ts";
import { commit } from "./commit.ts";
import { shims } from "./shims.ts";
import { readCounter, readGauge } from "./readings.ts";
import { logOf } from "./logging.ts";

const startedAt = (Date.now() - performance.now()) / 1_000;

/**
 * Adds metrics of the process, with the standard names of Prometheus' client libraries. prom-client's own
 * default metrics need data that Deno does not provide: garbage collection, event loop delay, handles.
 */
export function addProcessMetrics(registry: Registry): void {
  readGauge(
    registry,
    {
      name: "rollcall_info",
      help: "The running version, and whether its packages are from JSR or shims",
      labelNames: ["version", "deno", "v8", "packages"],
    },
    () => [{
      labels: {
        version,
        deno: Deno.version.deno,
        v8: Deno.version.v8,
        packages: shims.length > 0 ? "shims" : "jsr",
      },
      value: 1,
    }],
  );
  readGauge(
    registry,
    {
      name: "rollcall_build_info",
      help: "The running version and the commit that it was built from",
      labelNames: ["version", "commit"],
    },
    () => [{ labels: { version, commit: commit ?? "unknown" }, value: 1 }],
  );
  readGauge(registry, {
    name: "process_start_time_seconds",
    help: "When the process started, in seconds since 1970",
  }, () => startedAt);
  readGauge(registry, {
    name: "rollcall_uptime_seconds",
    help: "Time since the process started",
  }, () => performance.now() / 1_000);
  readCounter(registry, {
    name: "process_cpu_seconds_total",
    help: "CPU time, user and system",
  }, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  });
  addMemory(registry);
}

function addMemory(registry: Registry): void {
  readGauge(registry, {
    name: "process_resident_memory_bytes",
    help: "Resident memory of the process",
  }, () => Deno.memoryUsage().rss);
  readGauge(registry, {
    name: "rollcall_heap_bytes",
    help: "Memory of the JavaScript heap",
    labelNames: ["state"],
  }, () => {
    const { heapUsed, heapTotal, external } = Deno.memoryUsage();
    return [
      { labels: { state: "used" }, value: heapUsed },
      { labels: { state: "free" }, value: heapTotal - heapUsed },
      { labels: { state: "external" }, value: external },
    ];
  });
}

/** What the process needs besides connections: its own files, the database and webhooks. */
const ownFiles = 100;

/**
 * How many files and connections this process may have open; Deno raises the soft limit to the hard one.
 *
 * @returns undefined where the system does not provide it, as outside of Linux.
 */
export function openFileLimit(): number | undefined {
  const limits = tryTo(() => Deno.readTextFileSync("/proc/self/limits"));
  const limit = Number(/^Max open files +(\d+)/m.exec(limits ?? "")?.[1]);
  return Number.isNaN(limit) ? undefined : limit;
}

/**
 * The most connections of this process: what the operator has set, or the default, lowered to what the
 * limit of open files leaves room for.
 */
export function maxConnectionsWithin(
  set: number | undefined,
  usual: number,
  limit: number | undefined,
): number {
  if (set !== undefined) return set;
  return limit === undefined ? usual : Math.max(1, Math.min(usual, limit - ownFiles));
}

/** Logs that the limit of open files lowers the maximum of connections; a warning only where that is set. */
export function reportFileLimit(set: number | undefined, usual: number): void {
  const limit = openFileLimit();
  if (limit === undefined || limit >= (set ?? usual) + ownFiles) return;
  const fields = { limit, maxConnections: maxConnectionsWithin(set, usual, limit) };
  if (set === undefined) {
    logOf("server").info("The limit of open files lowers the maximum of connections", fields);
    return;
  }
  logOf("server").warn(
    "MAX_CONNECTIONS exceeds the limit of open files: raise that (LimitNOFILE, ulimit -n), or lower it",
    fields,
  );
}

/** How many it has open; undefined where the system does not provide it. */
function openFiles(): number | undefined {
  return tryTo(() => [...Deno.readDirSync("/proc/self/fd")].length);
}

/** Adds the metrics of open files, with the standard names of Prometheus' client libraries. */
export function addOpenFiles(registry: Registry): void {
  readGauge(registry, {
    name: "process_open_fds",
    help: "Open file descriptors: connections, and files",
  }, () => readingOf(openFiles()));
  readGauge(registry, {
    name: "process_max_fds",
    help: "Limit of open file descriptors",
  }, () => readingOf(openFileLimit()));
}

function readingOf(value: number | undefined) {
  return value === undefined ? [] : [{ labels: {}, value }];
}

function tryTo<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The time between two measurements, in milliseconds. */
const intervalMs = 100;

/** The time source of the measurement; tests replace it. */
interface LagClock {
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
interface EventLoopWatch {
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
