/** How a node's own lease is. */
export interface Heartbeat {
  /** The engine's clock, in milliseconds since 1970. */
  readonly now: number;
  /**
   * By the engine's clock, when the data set began. Later than a node's own start: the engine lost everything, or
   * it is another server, or another life of one, and lacks some of the latest changes. Then what the
   * node claimed is uncertain, also what it released: it goes on under another name.
   */
  readonly beganAt: number;
  /** The nodes whose lease is valid, this one included. */
  readonly nodes: readonly string[];
  /** The nodes whose lease has expired, and whose claims are not dropped yet. */
  readonly expired: readonly string[];
  /** The expired nodes that had announced their end: they do not come back. */
  readonly exited: readonly string[];
}

/** A user whom a node claims in a room. */
export interface ClaimedUser {
  readonly room: string;
  readonly userId: string;
  /** JSON text; what all nodes receive of the user. It ends in nothing else than the first holder's. */
  readonly member: string;
  /** Whether it takes no room from users. */
  readonly isGuest: boolean;
  /** How many members the room may have; 0: no limit. No limit stands while {@link isRepeated} makes it no join. */
  readonly max: number;
  /**
   * How many full members the room may have, by the same rules; absent: the user is quiet. A user counts as
   * a full member from a full claim until no node claims it. A node that claims the user already is not refused.
   */
  readonly maxFull?: number;
  /** The app's id, under which joins and leaves are logged; absent: they are not. */
  readonly app?: string;
  /** The node said so before and says it again: while the data set is not settled, it is no join. */
  readonly isRepeated: boolean;
}

/**
 * What becomes of a claim: "already": this node claimed the user before. "full", "full_members": there is no room for
 * another member, or for another full one. "lost": the node's lease is over.
 */
export type UserClaimReply = "held" | "already" | "full" | "full_members" | "lost";

/**
 * What becomes of a release. "late": nothing changed, as its deadline has passed; or as data were lost
 * less than a lease ago, and another node may have claimed the user and not said so again.
 */
export type ReleaseReply = "released" | "not_held" | "late" | "lost";

/** A member whom the app's server changes. */
export interface UpdatedMember {
  readonly room: string;
  readonly userId: string;
  /** The JSON text that the caller has read; absent: it found no such member. */
  readonly before?: string;
  /** JSON text. */
  readonly member: string;
  /** The app's id, under which it is logged; absent: it is not. */
  readonly app?: string;
}

/**
 * What becomes of an update. "changed": nothing, as the member is not what the caller has read. "absent": there is no
 * such member. "late": there is none, but data were lost less than a lease ago, and a node may claim the user that has
 * not said so again.
 */
export type UpdateReply = "updated" | "changed" | "absent" | "late";

/** A text that a room keeps for users who open it later. */
export interface CachedText {
  readonly text: string;
  readonly ttlMs: number;
  /** What the rooms of the app may keep together, in bytes of UTF-8: texts that end first are dropped first. */
  readonly maxBytes: number;
}

/** A room as a node that opens it finds it. */
export interface OpenedRoom {
  readonly version: number;
  /** Whether the data set is older than a lease: before, users of nodes may be missing who have not said so again. */
  readonly isSettled: boolean;
  /** By the engine's clock, when the data set began: what was read of two data sets are no members of one room. */
  readonly beganAt: number;
  /** The members' JSON texts by user id; none of them where the room {@link isLarge}. */
  readonly members: ReadonlyMap<string, string>;
  /** Whether {@link SharedState.scan} has the members, because the engine would serve no one else for too long. */
  readonly isLarge?: true;
  /** The text of the event that the room keeps, if any, and for how many milliseconds more. */
  readonly cached?: { readonly text: string; readonly ttlMs: number };
  /** Subscribers over all nodes. */
  readonly subscribers: number;
}

/** Some members of a room: each user who is one from the first step of a scan to its last is in one of them. */
export interface ScannedMembers {
  /** For the next step; {@link scanEnds} after the last one, and for the first. */
  readonly cursor: string;
  /** Their JSON texts by user id. */
  readonly members: ReadonlyMap<string, string>;
}

/** The cursor with which a scan begins and ends. */
export const scanEnds = "0";

/**
 * The claims, or the rooms with subscribers, that one step of {@link SharedState.drop} takes. Redis needs about 5 ms
 * for them, and serves no other client meanwhile.
 */
export const droppedAtATime = 100;

/**
 * What all nodes share, decided in one place. A room is a channel of an app ({@link roomOf}). Each change of
 * whether a user is claimed anywhere, and each update of a member, is one message on the room's topic and, with an
 * app, one entry of the log.
 * Each call may fail, and may have been carried out nevertheless.
 */
export interface SharedState {
  /**
   * Starts a lease. A node's name is used once: a lease that was lost is followed by one of another name.
   *
   * @throws {Error} also for a name whose lease is over, and that still claims something.
   */
  begin(node: string, totals: string): Promise<Heartbeat>;
  /** Renews a lease that has not expired. @param totals JSON text for others to read */
  heartbeat(node: string, totals: string): Promise<Heartbeat | "lost">;
  /** Ends a lease in some milliseconds, unless it ends before; its users then leave as by a restart. */
  exit(node: string, afterMs: number): Promise<void>;
  /**
   * Drops some of what an expired node claimed; nothing as long as a release would be late because of lost
   * data. @returns whether more is left
   */
  drop(node: string): Promise<boolean>;
  claim(node: string, user: ClaimedUser): Promise<UserClaimReply>;
  /** @param deadline by the engine's clock, in milliseconds since 1970. */
  release(
    node: string,
    user: { room: string; userId: string; app?: string; reason: string; deadline: number },
  ): Promise<ReleaseReply>;
  /** Changes what all nodes receive of a member. Who claims the user stays as it is. */
  update(member: UpdatedMember): Promise<UpdateReply>;
  /** A room now, with its members unless they are too many for one step. */
  read(room: string): Promise<OpenedRoom>;
  /** Some of a room's members. @param cursor what the step before returned */
  scan(room: string, cursor: string): Promise<ScannedMembers>;
  /** The JSON texts of the given users who are members of a room. */
  members(room: string, userIds: readonly string[]): Promise<string[]>;
  /** The text that a room keeps, if any. */
  cached(room: string): Promise<OpenedRoom["cached"]>;
  /**
   * Sets how many subscribers a node has in a room. All nodes that follow the room receive the sum.
   *
   * @param app under which `channel_occupied` and `channel_vacated` are logged; absent: they are not.
   * @param isRepeated as {@link ClaimedUser.isRepeated}: the channel does not become occupied by it.
   * @returns the sum, or "lost".
   */
  subscribers(
    node: string,
    room: string,
    count: number,
    app?: string,
    isRepeated?: boolean,
  ): Promise<number | "lost">;
  /** Sends a message to all nodes that follow a room. @param cached the text that the room keeps */
  publish(room: string, message: string, cached?: CachedText): Promise<void>;
  /** The occupied rooms of an app: with a member, or with a subscriber where `subscribers` was given the app. */
  occupied(app: string): Promise<string[]>;
  /** Members and subscribers of rooms. */
  sizes(rooms: readonly string[]): Promise<{ members: number; subscribers: number }[]>;
  /** What each node said with its last heartbeat. */
  totals(): Promise<ReadonlyMap<string, string>>;
  /** Takes or keeps leadership for some milliseconds. @returns whether the node is the leader */
  lead(node: string, ms: number): Promise<boolean>;
  /** Gives up leadership, if the node has it. */
  resign(node: string): Promise<void>;
}

/**
 * The members of a room that was opened, in steps; the engine serves others between two. Who comes or leaves during a
 * scan may be in a step or not.
 *
 * @throws {Error} also when the engine lost its data meanwhile: then users are missing who are members.
 */
export async function* membersInSteps(
  state: SharedState,
  room: string,
  { beganAt, isLarge, members }: OpenedRoom,
): AsyncGenerator<ReadonlyMap<string, string>> {
  if (!isLarge) return yield members;
  let cursor = scanEnds;
  do {
    const step = await state.scan(room, cursor);
    cursor = step.cursor;
    yield step.members;
  } while (cursor !== scanEnds);
  const now = await state.read(room);
  if (now.beganAt !== beganAt) throw new Error("the shared data were lost while a room was read");
}

/** The name of a channel of an app in the shared data. A colon ends the app's part. */
export function roomOf(appId: string, channel: string): string {
  return `${encodeURIComponent(appId)}:${channel}`;
}

/** The channel of a room. */
export function channelOf(room: string): string {
  return room.slice(room.indexOf(":") + 1);
}

/** The topic on which a room's messages come. */
export function topicOf(prefix: string, room: string): string {
  return `${prefix}room:${room}`;
}

/** How many entries the log keeps, about. */
export const logLength = 1_000_000;

/** Entries that release 0.1 does not know: their later version has its leader leave them to a later release. */
export const laterEntry = { name: "member_updated", version: "2" } as const;

/** The stream of all nodes' log. */
export function logKey(prefix: string): string {
  return `${prefix}log`;
}
