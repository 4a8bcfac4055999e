import type { LogLevel, LogRecord } from "@logtape/logtape";

/** What a line of the log looks like: for people, or for programs. */
export type LogFormat = "text" | "json";

/** Makes a line of what was logged, without the newline at its end. */
export const logLine: Record<LogFormat, (record: LogRecord) => string> = {
  text: textLine,
  json: jsonLine,
};

/**
 * One JSON object a line: `time`, `level`, `logger` and `message`, and then the fields of the event. No
 * field of an event takes the place of these.
 */
function jsonLine(record: LogRecord): string {
  return JSON.stringify({
    ...Object.fromEntries(fieldsOf(record)),
    time: timeOf(record),
    level: levels[record.level],
    logger: loggerOf(record),
    message: messageOf(record),
  });
}

/**
 * `TIME LEVEL LOGGER: MESSAGE NAME=VALUE …`. The stack of an error follows on indented lines. Nothing
 * that a stranger sent can begin a line: control characters are escaped.
 */
function textLine(record: LogRecord): string {
  const words = fieldsOf(record).map(([name, value]) => `${name}=${shown(value)}`);
  const head = `${timeOf(record)} ${levels[record.level].toUpperCase().padEnd(5)}`;
  const stacks = fieldsOf(record).flatMap(([, value]) => isFault(value) ? value.stack : []);
  return [
    `${head} ${loggerOf(record)}: ${[escaped(messageOf(record)), ...words].join(" ")}`,
    ...stacks.map((line) => `    ${escaped(line)}`),
  ].join("\n");
}

/** The names of the levels; LogTape's `warning` is called as in the settings. */
const levels: Record<LogLevel, string> = {
  trace: "debug",
  debug: "debug",
  info: "info",
  warning: "warn",
  error: "error",
  fatal: "error",
};

function timeOf({ timestamp }: LogRecord): string {
  return new Date(timestamp).toISOString();
}

function loggerOf({ category }: LogRecord): string {
  return category.slice(1).join(".") || category.join(".");
}

function messageOf({ message }: LogRecord): string {
  return message.map(String).join("");
}

type Field = Scalar | Scalar[] | Fault;
type Scalar = string | number | boolean | null;

/** What is told of an error: neither its own fields nor its cause, which may hold anything. */
interface Fault {
  name: string;
  message: string;
  stack: string[];
}

function fieldsOf({ properties }: LogRecord): [name: string, value: Field][] {
  return Object.entries(properties).filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, fieldOf(value)]);
}

function fieldOf(value: unknown): Field {
  if (value instanceof Error) return faultOf(value);
  return Array.isArray(value) ? value.slice(0, maxItems).map(scalarOf) : scalarOf(value);
}

function scalarOf(value: unknown): Scalar {
  if (typeof value === "string") return value.slice(0, maxLength);
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
  return `(${typeof value}, not shown)`;
}

/** A text in the log has at most so many characters. */
const maxLength = 500;

/** A list has at most so many items. */
const maxItems = 100;

function faultOf({ name, message, stack }: Error): Fault {
  const frames = (stack ?? "").split("\n").map((line) => line.trim())
    .filter((line) => line.startsWith("at "));
  return { name, message: message.slice(0, maxLength), stack: frames };
}

function isFault(value: Field): value is Fault {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(value: Field): string {
  if (isFault(value)) return shown(`${value.name}: ${value.message}`);
  if (Array.isArray(value)) return `[${value.map(shown).join(", ")}]`;
  if (typeof value !== "string") return String(value);
  return /^[\w.:/@+-]+$/.test(value) ? value : escaped(JSON.stringify(value));
}

/** JSON leaves some control characters as they are, and Unicode has newlines of its own. */
function escaped(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
