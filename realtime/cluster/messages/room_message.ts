import type { LogEntry } from "../../options.ts";
import { z } from "zod";
import type { PublishOptions } from "../../brokers/broker.ts";
import { type LeaveReason, leaveReasons, type Publisher } from "../../events/server_events.ts";
import {
  maxDetailLength,
  maxNameLength,
  maxUserIdLength,
  type Member,
  type MemberOptions,
  memberOptions,
  unprintable,
} from "../../protocol/member.ts";

/** Kinds of messages that are logged; what strangers to Redis may send has no end. */
const mostLogged = 100;

/** Why a message is ignored. "unknown": it is of a later release. */
type MessageFault = "malformed" | "unknown";

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

/** The value of a JSON text; undefined, which no JSON is, where the text is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The version of the format. A message of a higher one is ignored; fields that are not known are too. */
const messageVersion = 1;

const version = z.int().nonnegative();

const header = z.discriminatedUnion("t", [
  z.object({ v: z.int(), t: z.enum(["added", "updated"]), p: version, n: version }),
  z.object({
    v: z.int(),
    t: z.literal("removed"),
    p: version,
    n: version,
    u: z.string(),
    // A later release may know further reasons.
    r: z.enum(leaveReasons).optional().catch(undefined),
  }),
  z.object({
    v: z.int(),
    t: z.literal("subscribers"),
    c: z.int().nonnegative(),
    b: z.string().optional(),
  }),
  z.object({
    v: z.int(),
    t: z.literal("frame"),
    x: z.string().optional(),
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
    readonly type: "added" | "updated";
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
    readonly reason?: LeaveReason;
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
interface UnreadMessage {
  readonly fault: MessageFault;
  readonly what: string;
}

/** Writes the message that carries a published frame. The frame's text follows its header as it is, so it is not escaped again. */
export function frameMessage(
  text: string,
  { except, from, isKept }: PublishOptions,
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
  const parsedEnvelope = envelope.safeParse(json);
  if (!parsedEnvelope.success) return malformed("without version or type");
  const { t: type, v } = parsedEnvelope.data;
  if (v > messageVersion) return { fault: "unknown", what: `room message of version ${v}` };
  if (!types.has(type)) return { fault: "unknown", what: "room message of another type" };
  const result = header.safeParse(json);
  if (!result.success) return malformed(`${type}: ${result.error.issues[0].path.join(".")}`);
  const fields = result.data;
  switch (fields.t) {
    case "subscribers":
      return { type: "subscribers", count: fields.c, reporter: fields.b };
    case "removed":
      return {
        type: "removed",
        previous: fields.p,
        version: fields.n,
        userId: fields.u,
        ...fields.r && { reason: fields.r },
      };
    case "added":
    case "updated":
      if (body === undefined) return malformed(`${fields.t}: no member`);
      return { type: fields.t, previous: fields.p, version: fields.n, member: body };
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
  ["added", "updated", "removed", "subscribers", "frame"] satisfies RoomMessage["type"][],
);

function malformed(what: string): UnreadMessage {
  return { fault: "malformed", what: `room message ${what}` };
}

/** A member as all servers receive it. Its options are called `profile`, as in every release so far. */
export function memberText({ id, info, options, isUpdated, joinedAt }: Member): string {
  return JSON.stringify({ id, info, profile: options, isUpdated, joinedAt });
}

/** The members of a room, from their texts in Redis; malformed ones are left out. */
export function readMembers(texts: Iterable<string>, isMalformed?: () => void): Member[] {
  const members: Member[] = [];
  for (const text of texts) {
    const member = readMember(text);
    if (member) members.push(member);
    else isMalformed?.();
  }
  return members;
}

/** Members that are put in order: of more, that would keep other work waiting. */
const mostInOrder = 1_000;

/** The members of a room in the order in which they joined; those of a large room as they are. */
export function inOrder(
  members: { readonly size: number; values(): Iterable<Member> },
): Iterable<Member> {
  if (members.size > mostInOrder) return members.values();
  return [...members.values()].sort((one, other) => (one.joinedAt ?? 0) - (other.joinedAt ?? 0));
}

/** The members of a room whose texts come in steps, each once. Other work is done between two steps. */
export async function readMembersInSteps(
  steps: AsyncIterable<ReadonlyMap<string, string>>,
): Promise<Member[]> {
  const members = new Map<string, Member>();
  for await (const texts of steps) {
    for (const member of readMembers(texts.values())) members.set(member.id, member);
  }
  return [...inOrder(members)];
}

/**
 * Reads what {@link memberText} wrote. Checked by hand: a room has hundreds of thousands, and a schema takes ten
 * times as long.
 *
 * @returns undefined when it is malformed
 */
export function readMember(text: string): Member | undefined {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null) return undefined;
  const { id, info, profile, isUpdated, joinedAt } = value as Record<string, unknown>;
  if (typeof id !== "string" || id.length === 0 || id.length > maxUserIdLength) return undefined;
  // It goes into frames as it is.
  if (typeof info !== "string" || parseJson(info) === undefined) return undefined;
  const member: Member = {
    id,
    info,
    ...isUpdated === true && { isUpdated },
    ...typeof joinedAt === "number" && { joinedAt },
  };
  if (profile === undefined) return member;
  if (isPlain(profile)) return { ...member, options: profile };
  const result = memberOptions.safeParse(profile);
  if (!result.success) return undefined;
  return result.data === undefined ? member : { ...member, options: result.data };
}

/** Whether options are a text or two as servers write them: most are, and need no schema. */
function isPlain(options: unknown): options is MemberOptions {
  if (typeof options !== "object" || options === null) return false;
  let texts = 0;
  for (const [key, value] of Object.entries(options)) {
    const maxLength = maxLengths.get(key);
    if (maxLength === undefined || typeof value !== "string") return false;
    if (value.length > maxLength || value !== value.trim() || value.search(unprintable) >= 0) {
      return false;
    }
    texts += value.length > 0 ? 1 : 0;
  }
  return texts > 0 && texts === Object.keys(options).length;
}

const maxLengths = new Map([["name", maxNameLength], ["detail", maxDetailLength]]);
