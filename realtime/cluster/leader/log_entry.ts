import { z } from "zod";
import { leaveReasons } from "../../events/server_events.ts";
import { maxUserIdLength } from "../../protocol/member.ts";
import type { LogEntry, ServerEvent } from "../../server.ts";
import { parseJson, readMember } from "../messages/room_message.ts";
import { type AppSettings, isReserved } from "../../app_config.ts";
import { receives } from "../../webhooks/webhook_options.ts";
import type { SharedLog } from "../engine.ts";
import { laterEntry } from "../state/shared_state.ts";

/** An event of the log that all nodes share. */
export interface LoggedEvent {
  /** The id of its entry; ids are unique, and later entries have greater ones. */
  readonly id: string;
  /** By the engine's clock, in milliseconds since 1970. */
  readonly at: number;
  readonly appId: string;
  readonly event: ServerEvent;
}

/** What an entry of the stream amounts to. */
type ReadEntry =
  | { readonly logged: LoggedEvent }
  /** "later": a later release wrote it; "malformed": it is damaged. */
  | { readonly fault: "later" | "malformed" };

/** The version of the form that this release writes, apart from {@link laterEntry}. */
const version = 1;

/** Not in {@link readEntry}: to build it takes 13 µs, and to read a whole entry 2 µs. */
const writtenVersion = z.coerce.number().int().positive();

const place = { app: z.string().min(1), channel: z.string().min(1), at: z.number().optional() };
const user = z.string().min(1).max(maxUserIdLength);

/** A later release may know further reasons. */
const reason = z.enum(leaveReasons).catch("removed");

const header = z.discriminatedUnion("name", [
  z.object({ ...place, name: z.enum(["channel_occupied", "channel_vacated", "cache_miss"]) }),
  z.object({ ...place, name: z.enum(["member_added", "member_updated"]), user }),
  z.object({ ...place, name: z.literal("member_removed"), user, reason }),
  z.object({
    ...place,
    name: z.literal("client_event"),
    event: z.string(),
    socket: z.string(),
    user: user.optional(),
    data: z.unknown(),
  }),
  z.object({ ...place, name: z.literal("subscription_count"), count: z.int().nonnegative() }),
]);

/** Reads an entry of the stream: its id, and names and values of its fields in turn. */
export function readEntry(id: string, fields: readonly string[]): ReadEntry {
  const values = new Map<string, string>();
  for (let index = 0; index < fields.length; index += 2) {
    values.set(fields[index], fields[index + 1]);
  }
  const entryVersion = writtenVersion.safeParse(values.get("v"));
  if (!entryVersion.success) return { fault: "malformed" };
  if (entryVersion.data > Number(laterEntry.version)) return { fault: "later" };
  const result = header.safeParse(parseJson(values.get("e") ?? ""));
  if (!result.success) return { fault: "malformed" };
  const { app: appId, at = timeOf(id) } = result.data;
  const event = eventOf(result.data, values.get("m"));
  return event ? { logged: { id, at, appId, event } } : { fault: "malformed" };
}

/** The time in an entry's id, in milliseconds since 1970. */
export function timeOf(id: string): number {
  return Number(id.split("-")[0]);
}

/** The fields of a new entry. Joins and leaves are logged by the scripts that decide them. */
export function entryFields(event: ServerEvent, appId: string): string[] {
  return ["v", String(version), "e", JSON.stringify({ app: appId, ...statedOf(event) })];
}

function eventOf(
  read: z.infer<typeof header>,
  member: string | undefined,
): ServerEvent | undefined {
  const { channel } = read;
  switch (read.name) {
    case "member_added":
    case "member_updated": {
      const stated = readMember(member ?? "");
      return stated && { name: read.name, channel, userId: read.user, member: stated };
    }
    case "member_removed": {
      const removed = readMember(member ?? "");
      const { name, reason, user: userId } = read;
      return { name, channel, userId, reason, ...removed && { member: removed } };
    }
    case "client_event": {
      const { data, event, name, socket: socketId, user: userId } = read;
      return { name, channel, event, data, socketId, userId };
    }
    case "subscription_count":
      return { name: read.name, channel, count: read.count };
    default:
      return { name: read.name, channel };
  }
}

function statedOf(event: ServerEvent): Record<string, unknown> {
  if (event.name !== "client_event") return { ...event };
  const { socketId: socket, userId: user, ...rest } = event;
  return { ...rest, socket, user };
}

/** Events that the node logs which saw them; the others are logged by the scripts that decide them. */
const seenByNodes: ReadonlySet<ServerEvent["name"]> = new Set([
  "client_event",
  "cache_miss",
  "subscription_count",
]);

/**
 * Writes to the log what this node alone saw, for the webhooks that the leader sends. While the engine is away,
 * such events are lost, as other nodes do not receive them either.
 */
export class LogWriter {
  readonly #shared: SharedLog;
  readonly #log: (entry: LogEntry) => void;
  #hasFailed = false;

  constructor(shared: SharedLog, log: (entry: LogEntry) => void) {
    this.#shared = shared;
    this.#log = log;
  }

  /** Takes an event of an app, and logs it if a webhook receives it. Never throws and never rejects. */
  async append(event: ServerEvent, app: AppSettings): Promise<void> {
    if (!seenByNodes.has(event.name) || isReserved(app, event.channel)) return;
    if (!app.webhooks.some((webhook) => receives(webhook, event))) return;
    try {
      await this.#shared.append(entryFields(event, app.id));
      this.#hasFailed = false;
    } catch (error) {
      if (this.#hasFailed) return;
      this.#hasFailed = true;
      this.#log({
        level: "error",
        message: "Events for webhooks are lost while the servers have no shared log",
        error,
      });
    }
  }
}
