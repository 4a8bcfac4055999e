import { z } from "zod";
import type { PublishOptions } from "../../brokers/broker.ts";
import type { Publisher } from "../../events/published_events.ts";
import type { MessageFault } from "./ignored_messages.ts";
import { parseJson } from "./json.ts";

/** The version of the format. A message of a higher one is ignored; fields that are not known are too. */
const messageVersion = 1;

const version = z.int().nonnegative();

const header = z.discriminatedUnion("t", [
  z.object({ v: z.int(), t: z.literal("added"), p: version, n: version }),
  z.object({ v: z.int(), t: z.literal("removed"), p: version, n: version, u: z.string() }),
  z.object({
    ...{ v: z.int(), t: z.literal("subscribers"), c: z.int().nonnegative() },
    b: z.string().optional(),
  }),
  z.object({
    ...{ v: z.int(), t: z.literal("frame"), x: z.string().optional() },
    k: z.literal(1).optional(),
    // A publisher that a later release knows is like an app's own server.
    f: z.enum(["api", "server", "client"]).optional().catch(undefined),
  }),
]);

/**
 * What the servers that follow a room receive. Frames are written here, the others by `sendChange` and
 * `setSubscribers` in `realtime/cluster/state/scripts/rules.ts`.
 */
export type RoomMessage =
  | {
    readonly type: "added";
    readonly previous: number;
    readonly version: number;
    /** JSON text. */
    readonly member: string;
  }
  | {
    readonly type: "removed";
    readonly previous: number;
    readonly version: number;
    readonly userId: string;
  }
  | {
    readonly type: "subscribers";
    readonly count: number;
    /** The node that reports the number to the app, if one is left. */
    readonly reporter?: string;
  }
  | {
    readonly type: "frame";
    readonly text: string;
    readonly except?: string;
    /** Whether the room keeps it for new subscribers. */
    readonly isKept: boolean;
    readonly from: Publisher;
  };

/** A message that this release cannot read, and of which kind it is. */
export interface UnreadMessage {
  readonly fault: MessageFault;
  readonly what: string;
}

/** Writes the message that carries a published frame. The frame's text follows its header as it is, so it is not escaped again. */
export function frameMessage(
  text: string,
  { except, from, isKept }: Pick<PublishOptions, "except" | "from" | "isKept">,
): string {
  const fields = { v: messageVersion, t: "frame", x: except, k: isKept ? 1 : undefined, f: from };
  return `${JSON.stringify(fields)}\n${text}`;
}

/**
 * Reads a message: a line of JSON, and for members and frames what follows it.
 *
 * @returns why it cannot be read, if so, without anything of its content.
 */
export function readRoomMessage(message: string): RoomMessage | UnreadMessage {
  const end = message.indexOf("\n");
  const line = end < 0 ? message : message.slice(0, end);
  const body = end < 0 ? undefined : message.slice(end + 1);
  const json = parseJson(line);
  const stated = envelope.safeParse(json);
  if (!stated.success) return malformed("without version or type");
  const { t: type, v } = stated.data;
  if (v > messageVersion) return { fault: "unknown", what: `room message of version ${v}` };
  if (!types.has(type)) return { fault: "unknown", what: "room message of another type" };
  const read = header.safeParse(json);
  if (!read.success) return malformed(`${type}: ${read.error.issues[0].path.join(".")}`);
  const fields = read.data;
  switch (fields.t) {
    case "subscribers":
      return { type: "subscribers", count: fields.c, reporter: fields.b };
    case "removed":
      return { type: "removed", previous: fields.p, version: fields.n, userId: fields.u };
    case "added":
      if (body === undefined) return malformed("added: no member");
      return { type: "added", previous: fields.p, version: fields.n, member: body };
    case "frame":
      if (body === undefined) return malformed("frame: no text");
      return {
        type: "frame",
        text: body,
        except: fields.x,
        isKept: fields.k === 1,
        from: fields.f ?? "api",
      };
  }
}

const envelope = z.object({ v: z.int(), t: z.string() });

const types = new Set<string>(
  ["added", "removed", "subscribers", "frame"] satisfies RoomMessage["type"][],
);

function malformed(what: string): UnreadMessage {
  return { fault: "malformed", what: `room message ${what}` };
}
