import type { RoomLimit } from "../../brokers/broker.ts";
import type { LeaveReason } from "../../events/server_events.ts";
import type { SharedState } from "../state/shared_state.ts";
import type { Member } from "../../protocol/member.ts";
import { memberText } from "../messages/room_message.ts";
import type { Node } from "./node.ts";

/** How many calls run at the same time while much is registered again: the engine carries them out one by one. */
const atOnce = 500;

/** Does something with each of many items, some hundred at a time. @param mayGoOn is asked before each group */
export async function inGroups<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  mayGoOn: () => boolean,
): Promise<void> {
  for (let start = 0; start < items.length && mayGoOn(); start += atOnce) {
    await Promise.all(items.slice(start, start + atOnce).map(work));
  }
}

/** How long a release may take to reach the engine and be carried out, in milliseconds. */
const releaseMs = 1_500;

/** A user whom this server claims in a room, as it is meant to be and as the engine has it. */
interface ClaimedUser {
  readonly room: string;
  readonly userId: string;
  member: string;
  isGuest: boolean;
  max: number;
  maxFull: number | undefined;
  /** Whether the engine counts the user among the full members, where it claims the user. */
  isFullMember: boolean;
  /** Whether the user is meant to be claimed. */
  isWanted: boolean;
  reason: LeaveReason;
  /** What the engine has under the name {@link node}: a failed call may have been carried out. */
  known: "claimed" | "free" | "unknown";
  /** The name of this server in the last call. Under later ones, the engine has nothing. */
  node: string | undefined;
  /** Whether it was claimed before, so that a claim registers it again. */
  wasClaimed: boolean;
  /** While calls run. */
  reconciling: Promise<void> | undefined;
}

/** A user who joins a room through this server. */
interface JoiningUser {
  readonly room: string;
  readonly userId: string;
  readonly member: string;
  readonly isGuest: boolean;
  readonly max: number;
  /** See `ClaimedUser` of the shared state. */
  readonly maxFull?: number;
}

/** What {@link ClaimedUsers} are made with. */
interface ClaimedUsersOptions {
  node: Node;
  state: SharedState;
  /** The app under which joins and leaves of a room are logged; undefined: they are not. */
  appOf: (room: string) => string | undefined;
  /** The user as the members of a room know it; undefined while they do not. */
  listed: (room: string, userId: string) => Member | undefined;
  claimed: (room: string, userId: string) => void;
  full: (room: string, userId: string, limit: RoomLimit) => void;
}

/**
 * The users whom this server claims in the rooms of an app. What is meant and what the engine has are kept side
 * by side; for each user one call at a time brings them together, whatever fails in between.
 */
export class ClaimedUsers {
  readonly #options: ClaimedUsersOptions;
  readonly #rooms = new Map<string, Map<string, ClaimedUser>>();
  #size = 0;

  constructor(options: ClaimedUsersOptions) {
    this.#options = options;
  }

  /** The users who are claimed, and users whose release has not been confirmed. */
  get size(): number {
    return this.#size;
  }

  /** Claims a user; `claimed` or `full` follows. */
  join({ room, userId, member, isGuest, max, maxFull }: JoiningUser): void {
    const user = this.#rooms.get(room)?.get(userId) ?? this.#add(room, userId);
    if (!user.isWanted) Object.assign(user, { member, isGuest, max, maxFull, isWanted: true });
    else user.maxFull ??= maxFull;
    // One who left in this tick is claimed still.
    if (user.known === "claimed") this.#options.claimed(room, userId);
    if (!isDone(user)) this.#reconcile(user);
  }

  /** Claims a user no longer. */
  leave(room: string, userId: string, reason: LeaveReason): void {
    const user = this.#rooms.get(room)?.get(userId);
    if (!user?.isWanted) return;
    user.isWanted = false;
    user.reason = reason;
    this.#reconcile(user);
  }

  /** Claims none of them any longer, from the next {@link retry} on. */
  leaveAll(reason: LeaveReason): void {
    for (const user of this.#all()) {
      if (user.isWanted) Object.assign(user, { isWanted: false, reason });
    }
  }

  /** Forgets all of them; the lease ends what is claimed. */
  stop(): void {
    this.#rooms.clear();
    this.#size = 0;
  }

  /** Whether all who are meant to be claimed are, or are about to be. */
  get areRegistered(): boolean {
    return this.#all().every((user) =>
      !user.isWanted || isDone(user) || user.reconciling !== undefined
    );
  }

  /** Registers all again. Some may have been registered under the name of a new lease before. */
  async resync(): Promise<void> {
    const { node } = this.#options;
    const all = [...this.#all()];
    for (const user of all) user.known = user.node === node.name ? "unknown" : "free";
    await inGroups(all, (user) => this.#reconcile(user), () => node.isUp);
  }

  /** Tries again what failed. Never rejects. */
  async retry(): Promise<void> {
    const failed = Array.from(this.#all()).filter((user) => !isDone(user));
    await inGroups(failed, (user) => this.#reconcile(user), () => this.#options.node.isUp);
  }

  *#all(): Generator<ClaimedUser, void> {
    for (const users of this.#rooms.values()) yield* users.values();
  }

  #add(room: string, userId: string): ClaimedUser {
    const user: ClaimedUser = {
      room,
      userId,
      member: "",
      isGuest: false,
      max: 0,
      maxFull: undefined,
      isWanted: false,
      reason: "closed",
      known: "free",
      node: undefined,
      wasClaimed: false,
      isFullMember: false,
      reconciling: undefined,
    };
    const users = this.#rooms.get(room);
    if (users) users.set(userId, user);
    else this.#rooms.set(room, new Map([[userId, user]]));
    this.#size++;
    return user;
  }

  #delete({ room, userId }: ClaimedUser): void {
    const users = this.#rooms.get(room);
    if (!users?.delete(userId)) return;
    this.#size--;
    if (users.size === 0) this.#rooms.delete(room);
  }

  /** Brings the engine to what is meant, as far as it can be reached. Never rejects. */
  #reconcile(user: ClaimedUser): Promise<void> {
    return user.reconciling ??= this.#run(user);
  }

  async #run(user: ClaimedUser): Promise<void> {
    // What changes in this tick of the event loop is one change.
    await undefined;
    try {
      while (!isDone(user) && this.#options.node.isUp) {
        if (user.isWanted) await this.#claim(user);
        else await this.#release(user);
      }
    } catch {
      user.known = "unknown";
    }
    user.reconciling = undefined;
    if (!user.isWanted && user.known === "free") this.#delete(user);
  }

  async #claim(user: ClaimedUser): Promise<void> {
    const { node, state, appOf } = this.#options;
    const { isGuest, max, maxFull, room, userId, wasClaimed } = user;
    // Another server may have registered the user first, with another text: that is what all have in their lists.
    const listed = wasClaimed ? this.#options.listed(room, userId) : undefined;
    const member = listed ? memberText(listed) : user.member;
    const name = node.name!;
    Object.assign(user, { known: "unknown", node: name });
    const answer = await state.claim(name, {
      room,
      userId,
      member,
      isGuest,
      app: appOf(room),
      isRepeated: wasClaimed,
      max: wasClaimed ? 0 : max,
      maxFull: wasClaimed && maxFull !== undefined ? 0 : maxFull,
    });
    if (answer === "lost" || name !== node.name) return this.#lost(user, name);
    if (answer === "full") return this.#refused(user, "members", max);
    if (answer === "full_members") return this.#refused(user, "fullMembers", maxFull);
    Object.assign(user, {
      known: "claimed",
      wasClaimed: true,
      isFullMember: maxFull !== undefined,
    });
    if (user.isWanted) this.#options.claimed(room, userId);
  }

  #refused(user: ClaimedUser, limit: RoomLimit, askedMax: number | undefined): void {
    user.known = "free";
    const max = limit === "members" ? user.max : user.maxFull;
    // A user who has joined again meanwhile, by another limit, is asked for again.
    if (!user.isWanted || max !== askedMax) return;
    user.isWanted = false;
    this.#options.full(user.room, user.userId, limit);
  }

  async #release(user: ClaimedUser): Promise<void> {
    const { node, state, appOf } = this.#options;
    const { room, userId, reason } = user;
    const name = node.name!;
    Object.assign(user, { known: "unknown", node: name });
    const deadline = node.sharedNow() + releaseMs;
    const answer = await state.release(name, { room, userId, app: appOf(room), reason, deadline });
    if (answer === "lost" || name !== node.name) return this.#lost(user, name);
    if (answer === "late") throw new Error("The release came late");
    user.known = "free";
    user.wasClaimed = false;
  }

  /** Under the next name nothing is claimed. Until there is one, nothing can be done. */
  #lost(user: ClaimedUser, name: string): void {
    const { node } = this.#options;
    if (name !== node.name) user.known = "free";
    else {
      node.lost(name);
      throw new Error("The lease was lost");
    }
  }
}

function isDone({ isFullMember, isWanted, known, maxFull }: ClaimedUser): boolean {
  if (!isWanted) return known === "free";
  return known === "claimed" && (isFullMember || maxFull === undefined);
}
