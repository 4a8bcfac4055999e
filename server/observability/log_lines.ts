import type { LogLevel, LogRecord } from "@logtape/logtape";

/** The formats of the log: for people, or for programs. */
export type LogFormat = "text" | "json";

/** Formats a record as a line, without the newline at its end. */
export const logLine: Record<LogFormat, (record: LogRecord) => string> = {
  text: textLine,
  json: jsonLine,
};

/**
 * A JSON object with the fields of the record and with `time`, `level`, `logger` and `message`, which no
 * field can replace.
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
 * `TIME LEVEL LOGGER: MESSAGE NAME=VALUE …`. The stack of an error follows on indented lines. Control
 * characters are escaped, so that no value can forge a line.
 */
function textLine(record: LogRecord): string {
  const fields = fieldsOf(record).map(([name, value]) => `${name}=${valueText(value)}`);
  const head = `${timeOf(record)} ${levels[record.level].toUpperCase().padEnd(5)}`;
  const stacks = fieldsOf(record).flatMap(([, value]) => isFault(value) ? value.stack : []);
  return [
    `${head} ${loggerOf(record)}: ${[escaped(messageOf(record)), ...fields].join(" ")}`,
    ...stacks.map((line) => `    ${escaped(line)}`),
  ].join("\n");
}

/** LogTape's levels by their names in the settings. */
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

/** What is logged of an error: not its own fields and its cause, which may contain secrets. */
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

/** Longer texts are cut, in characters. */
const maxLength = 500;

/** Longer lists are cut. */
const maxItems = 100;

function faultOf({ name, message, stack }: Error): Fault {
  const frames = (stack ?? "").split("\n").map((line) => line.trim())
    .filter((line) => line.startsWith("at "));
  return { name, message: message.slice(0, maxLength), stack: frames };
}

function isFault(value: Field): value is Fault {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function valueText(value: Field): string {
  if (isFault(value)) return valueText(`${value.name}: ${value.message}`);
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (typeof value !== "string") return String(value);
  return /^[\w.:/@+-]+$/.test(value) ? value : escaped(JSON.stringify(value));
}

/** Also escapes the control characters that JSON does not, and the newlines of Unicode. */
function escaped(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
