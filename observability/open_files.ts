import type { Registry } from "prom-client";
import { logOf } from "./logging.ts";
import { readGauge } from "./readings.ts";

/** What the process needs beside connections: its own files, the database and webhooks. */
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

/** Warns when the process runs out of files before it has its maximum of connections. */
export function checkFileLimit(maxConnections: number): void {
  const limit = openFileLimit();
  if (limit === undefined || limit >= maxConnections + ownFiles) return;
  logOf("server").warn(
    "MAX_CONNECTIONS exceeds the limit of open files: raise that (LimitNOFILE, ulimit -n), or lower it",
    { limit, maxConnections },
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
