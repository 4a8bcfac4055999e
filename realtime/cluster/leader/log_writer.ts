import { type AppSettings, isReserved } from "../../app_config.ts";
import type { LogEntry, ServerEvent } from "../../server.ts";
import { receives } from "../../webhooks/webhook_events.ts";
import type { Redis } from "../redis/redis.ts";
import { logKey, logLength } from "../state/keys.ts";
import { entryFields } from "./log_entry.ts";

/** Options of a {@link LogWriter}. */
export interface LogWriterOptions {
  redis: Pick<Redis, "command">;
  /** Of the keys in Redis. */
  prefix: string;
  log: (entry: LogEntry) => void;
}

/** Events that the node logs which saw them; the others are logged by the scripts that decide them. */
const seenByNodes: ReadonlySet<ServerEvent["name"]> = new Set([
  "client_event",
  "cache_miss",
  "subscription_count",
]);

/**
 * Writes to the log what this node alone saw, for the webhooks that the leader sends. While there is no
 * Redis such events are lost, as other nodes do not receive them either.
 */
export class LogWriter {
  readonly #options: LogWriterOptions;

  #hasFailed = false;

  constructor(options: LogWriterOptions) {
    this.#options = options;
  }

  /** Takes an event of an app, and logs it if a webhook receives it. Never throws and never rejects. */
  async append(event: ServerEvent, app: AppSettings): Promise<void> {
    if (!seenByNodes.has(event.name) || isReserved(app, event.channel)) return;
    if (!app.webhooks.some((webhook) => receives(webhook, event))) return;
    const { log, prefix, redis } = this.#options;
    const length = ["MAXLEN", "~", String(logLength)];
    try {
      await redis.command(["XADD", logKey(prefix), ...length, "*", ...entryFields(event, app.id)]);
      this.#hasFailed = false;
    } catch (error) {
      if (this.#hasFailed) return;
      this.#hasFailed = true;
      log({ level: "error", message: "Events for webhooks are lost without Redis", error });
    }
  }
}
