import { AsyncLocalStorage } from "node:async_hooks";
import {
  configureSync,
  getConsoleSink,
  getLogger,
  getThrottlingFilter,
  type LogRecord,
  withContext,
} from "@logtape/logtape";
import type { LogEntry } from "../realtime/server.ts";
import { type LogFormat, logLine } from "./log_lines.ts";

/** What is left out of the log below a level. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** How the log is written. */
export interface LogSettings {
  format: LogFormat;
  level: LogLevel;
}

/** Lines that say the same, in a minute; a stranger can cause any number of them. */
const sameLinesPerMinute = 60;

/** What admins do is always logged; nobody else can cause it. */
const auditCategory = "audit";

/** Starts, stops and the settings are always logged; whoever runs the server causes them. */
const serverCategory = "server";

/**
 * Writes the log to the console from now on: errors and warnings to stderr, all else to stdout. Until
 * then nothing is logged, as in tests of single modules.
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
          logger.warn("Lines that say the same were left out", { count: suppressed, lines: key }),
      },
    },
  });
  const isFree = ({ category: [, part], level }: LogRecord) =>
    level === "debug" || part === auditCategory || part === serverCategory;
  return Object.assign((record: LogRecord) => isFree(record) || filter(record), {
    [Symbol.dispose]: () => filter[Symbol.dispose](),
  });
}

/** Lines with the same key say the same; their number is small, whatever strangers send. */
function sameness({ category, rawMessage, properties }: LogRecord): string {
  const { limit, reason } = properties;
  return [category.at(-1), rawMessage, limit, reason].filter((part) => part !== undefined)
    .join(" ");
}

type Part =
  | typeof serverCategory
  | "http"
  | "realtime"
  | "webhooks"
  | "accounts"
  | "pages"
  | "records"
  | typeof auditCategory;

/**
 * The log of a part of the server. Messages are constant; what varies stands in fields, which hold
 * neither secrets, signatures, cookies, tokens and passwords nor what anybody is called.
 */
export function logOf(part: Part) {
  return getLogger(["rollcall", part]);
}

/** The log of a part for code that has a `log` option; see {@link logOf}. */
export function entryLog(part: Part): (entry: LogEntry) => void {
  const log = logOf(part);
  // LogTape fills in what stands in braces; these messages are meant as they are.
  return ({ level, message, ...fields }) => log[level](message.replace(/[{}]/g, "$&$&"), fields);
}

/** Every line that is logged meanwhile has the id. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return withContext({ requestId }, work);
}
