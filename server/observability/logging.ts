import { AsyncLocalStorage } from "node:async_hooks";
import {
  configureSync,
  getConsoleSink,
  getLogger,
  getThrottlingFilter,
  type LogRecord,
  withContext,
} from "@logtape/logtape";
import type { LogEntry } from "@/realtime/server.ts";
import { type LogFormat, logLine } from "./log_lines.ts";

/** The lowest level that is logged. */
type LogLevel = "debug" | "info" | "warn" | "error";

/** How the log is written. */
interface LogSettings {
  format: LogFormat;
  level: LogLevel;
}

/** How many identical lines are written a minute; requests of strangers could cause any number. */
const sameLinesPerMinute = 60;

/** Always logged: only admins can cause these lines. */
const auditCategory = "audit";

/** Always logged: only operators can cause starts, stops and reloads. */
const serverCategory = "server";

/**
 * Starts writing the log to the console: errors and warnings to stderr, all other lines to stdout.
 * Before the call nothing is logged, as in tests of single modules.
 */
export function startLogging({ format, level }: LogSettings): void {
  configureSync({
    reset: true,
    sinks: { console: getConsoleSink({ formatter: logLine[format] }) },
    filters: { flood: floodFilter() },
    loggers: [
      {
        category: "rollcall",
        sinks: ["console"],
        filters: ["flood"],
        lowestLevel: level === "warn" ? "warning" : level,
      },
      { category: ["logtape", "meta"], sinks: ["console"], lowestLevel: "warning" },
    ],
    contextLocalStorage: new AsyncLocalStorage(),
  });
}

function floodFilter() {
  const logger = getLogger(["rollcall", "log"]);
  const filter = getThrottlingFilter({
    limit: sameLinesPerMinute,
    windowMs: 60_000,
    key: sameness,
    summary: {
      logger: {
        warning: (_message, { suppressed, key }) =>
          logger.warn("Repeated lines omitted", { count: suppressed, lines: key }),
      },
    },
  });
  const isFree = ({ category: [, part], level }: LogRecord) =>
    level === "debug" || part === auditCategory || part === serverCategory;
  return Object.assign((record: LogRecord) => isFree(record) || filter(record), {
    [Symbol.dispose]: () => filter[Symbol.dispose](),
  });
}

/** Lines with the same key count as identical. The number of keys is small, whatever is requested. */
function sameness({ category, rawMessage, properties }: LogRecord): string {
  const { limit, reason } = properties;
  return [category.at(-1), rawMessage, limit, reason].filter((part) => part !== undefined)
    .join(" ");
}

type Part =
  | "cluster"
  | typeof serverCategory
  | "http"
  | "mail"
  | "realtime"
  | "webhooks"
  | "accounts"
  | "pages"
  | "records"
  | typeof auditCategory;

/**
 * The log of a part of the server. Messages are constant; values are in fields, which contain no
 * secrets, signatures, cookies, tokens or passwords, and no names or emails.
 */
export function logOf(part: Part) {
  return getLogger(["rollcall", part]);
}

/**
 * The log of a part for code that has a `log` option; see {@link logOf}. An entry about an error whose
 * property `isReported` is true is for debugging only: the log has a line about its cause.
 */
export function entryLog(part: Part): (entry: LogEntry) => void {
  const log = logOf(part);
  return ({ level, message, ...fields }) => {
    const isReported = Object(fields.error).isReported === true;
    // LogTape replaces names in braces; these messages are literal.
    log[isReported ? "debug" : level](message.replace(/[{}]/g, "$&$&"), fields);
  };
}

/** Adds the id to every line that is logged during the work. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return withContext({ requestId }, work);
}

/** The ids that a proxy may send: long enough to be unique, without characters that need escaping. */
const wellFormed = /^[A-Za-z0-9][A-Za-z0-9_.-]{7,127}$/;

/**
 * The id of a request in the log, on error pages and in the response's `X-Request-Id`: the one that the
 * request carries, if it is well-formed, or else a new one.
 */
export function requestIdOf(headers: Headers): string {
  const requestId = headers.get("x-request-id") ?? "";
  return wellFormed.test(requestId) ? requestId : crypto.randomUUID();
}
