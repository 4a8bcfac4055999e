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
