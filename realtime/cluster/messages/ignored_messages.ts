import type { LogEntry } from "../../options.ts";

/** Kinds of messages that are logged; what strangers to Redis may send has no end. */
const mostLogged = 100;

/** Why a message is ignored. "unknown": it is of a later release. */
export type MessageFault = "malformed" | "unknown";

/** Counts the messages of other servers that this release cannot read, and logs the first of each kind. */
export class IgnoredMessages {
  readonly #log: (entry: LogEntry) => void;
  readonly #logged = new Set<string>();
  readonly #counts: Record<MessageFault, number> = { malformed: 0, unknown: 0 };

  constructor(log: (entry: LogEntry) => void) {
    this.#log = log;
  }

  /** How many were ignored since the start. */
  get counts(): Readonly<Record<MessageFault, number>> {
    return this.#counts;
  }

  /** A message is ignored. @param what its kind, for the log; nothing of its content */
  add(fault: MessageFault, what: string): void {
    this.#counts[fault]++;
    const key = `${fault} ${what}`;
    if (this.#logged.has(key) || this.#logged.size >= mostLogged) return;
    this.#logged.add(key);
    const message = fault === "unknown"
      ? "A message of a later release was ignored"
      : "A malformed message was ignored";
    this.#log({ level: "warn", message, what });
  }
}
