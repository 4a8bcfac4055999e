import type { Exchange } from "./http_exchange.ts";
import type { ProtocolClient } from "./protocol_client.ts";
import type { ReceivedRequest } from "./self_request.ts";
import type { PageExchanges } from "./steps/page.ts";
import type { Target } from "./target.ts";
import { reader } from "@/shared/language.ts";

/** How a step ended. */
export type Verdict =
  | { state: "ok"; found: string }
  | { state: "failed"; found: string; change: string }
  | { state: "skipped"; found: string };

/** The ways in which a step can end; also printed by the command line. */
export type StepState = Verdict["state"];

/** The step passed; `found` is a sentence with the details. */
export function ok(found: string): Verdict {
  return { state: "ok", found };
}

/**
 * The step failed.
 *
 * @param found a sentence that says what was observed.
 * @param change how to fix it, as lines; what is typed literally is in backticks.
 */
export function failed(found: string, ...change: string[]): Verdict {
  return { state: "failed", found, change: change.join("\n") };
}

/** The step does not apply, for a reason that is no fault. */
export function skipped(found: string): Verdict {
  return { state: "skipped", found };
}

/** The options of a check, and what its steps leave for the steps after them. */
export interface CheckContext {
  readonly target: Target;
  /** Limit for each request or wait of a step, in milliseconds. */
  readonly timeoutMs: number;
  /** How long the WebSocket is left idle, in milliseconds. */
  readonly idleMs: number;
  /** Set by the page step. */
  pages?: PageExchanges;
  /** A self-request and what the server received of it; set by the installation step. */
  selfRequest?: { received: ReceivedRequest; exchange: Exchange };
  /** Set by the connection step: the WebSocket, and its id once the server accepted it. */
  client?: ProtocolClient;
  socketId?: string;
  /** The private channel that the signature step subscribed to. */
  channel?: string;
}

/** One part of the way from a client to this installation and back. */
export interface Step {
  /** Identifies the step in JSON reports; never changes. */
  name: string;
  /** In the language of the reader, as what the step found: reports have it in several. */
  readonly title: string;
  /** The names of the steps that have to pass before this one runs. */
  needs: readonly string[];
  /**
   * Tries this part of the way. Ends within a small multiple of `timeoutMs`, and never rejects.
   *
   * @returns what judges it, in the language of who calls it: the same each time.
   */
  run(context: CheckContext): Promise<() => Verdict>;
}

/**
 * A value that an earlier step left in the context.
 *
 * @throws {TypeError} when that step did not pass: it is missing in {@link Step.needs}.
 */
export function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError("The step that sets this value has not passed");
  return value;
}

/** What is typed literally, for a text that has it as a value. */
export function code(typed: string): string {
  return `\`${typed}\``;
}

/** A number of seconds with this many digits after the point, as the reader writes it. */
export function secondsText(seconds: number, digits: number): string {
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(reader.language?.tag ?? "en", format).format(seconds);
}

const maxLength = 200;

/**
 * Text from another server, safe to print: on one line, at most 200 characters, and without characters
 * that control a terminal.
 */
export function printable(text: string): string {
  const plain = text.replace(/[\p{C}\s]+/gu, " ").trim();
  return plain.length > maxLength ? `${plain.slice(0, maxLength)}…` : plain;
}

/** The origin and path of an address; the rest of it may be secret. */
export function printableAddress(text: string, base: URL): string {
  const url = URL.parse(text, base);
  return url ? printable(`${url.origin}${url.pathname}`) : printable(text);
}

/** The system's code of an error, such as `ECONNREFUSED`, or else the error's name. */
export function errorCode(error: unknown): string {
  const code = Reflect.get(Object(error), "code");
  if (typeof code === "string" && /^[A-Z0-9_]+$/.test(code)) return code;
  return error instanceof Error ? error.name : "unknown";
}
