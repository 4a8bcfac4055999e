import { LargeMap } from "./large_map.ts";
import { byteLength, type Frame } from "../protocol/outgoing.ts";
import { isSameMember, type Member } from "../protocol/member.ts";
import type { Membership, Snapshot } from "../brokers/broker.ts";
import type { LeaveReason } from "../events/server_events.ts";

/** A member's parts of the encoded list: JSON inside a JSON string. */
interface EncodedMember {
  readonly id: string;
  readonly entry: string;
  readonly bytes: number;
}

/** A member, encoded with the first list that has it: where all are quiet, there is none. */
class ListedMember {
  #encoded: EncodedMember | undefined;
  /** The number of the snapshot that had it last. */
  snapshot = 0;

  constructor(readonly member: Member) {}

  /** The parts of the encoded list. */
  get encoded(): EncodedMember {
    return this.#encoded ??= encodedMember(this.member);
  }
}

function encodedMember(member: Member): EncodedMember {
  const id = inString(JSON.stringify(member.id));
  const entry = `${id}:${inString(member.info)}`;
  return { id, entry, bytes: byteLength(id) + byteLength(entry) };
}

/** The list of a quiet subscriber: itself, or no one if it is no member. */
export function ownList(channel: string, member: Member | undefined): Frame {
  const list = new MemberListText(channel, []);
  if (member) list.add(encodedMember(member));
  return list.frame();
}

/**
 * The frame with the member list of a presence channel, as a text that grows with each member. While
 * 1,000 users join, it takes 15 µs of CPU time for each; encoding the whole list each time takes 70.
 */
class MemberListText {
  readonly #head: string;
  #ids = "";
  #hash = "";
  #count = 0;
  #bytes = 0;
  #frame: Frame | undefined;

  constructor(channel: string, members: Iterable<ListedMember>) {
    this.#head = `{"event":"pusher_internal:subscription_succeeded",` +
      `"channel":${JSON.stringify(channel)},"data":"{\\"presence\\":{\\"ids\\":[`;
    for (const { encoded } of members) this.add(encoded);
  }

  /** Adds a member, who must not be in the list. */
  add({ id, entry, bytes }: EncodedMember): void {
    const comma = this.#count > 0 ? "," : "";
    this.#ids += comma + id;
    this.#hash += comma + entry;
    this.#bytes += bytes + 2 * comma.length;
    this.#count++;
    this.#frame = undefined;
  }

  /** The frame with the members so far. */
  frame(): Frame {
    return this.#frame ??= this.#encode();
  }

  #encode(): Frame {
    const middle = `],\\"hash\\":{`;
    const tail = `},\\"count\\":${this.#count}}}"}`;
    return {
      text: this.#head + this.#ids + middle + this.#hash + tail,
      bytes: this.#head.length + middle.length + tail.length + this.#bytes,
    };
  }
}

/** Escapes a text for the inside of a JSON string. */
function inString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * A change of the list. Why a member was removed is not known where only a snapshot shows it. The `user_info` of an
 * updated member is new to the other members, unless only what admins see of it changed.
 */
export type MemberChange =
  | { added: Member }
  | { removed: string; member: Member; reason?: LeaveReason }
  | { updated: Member; hasNewInfo: boolean };

/** What an event or a snapshot changed. */
export interface Applied {
  /** In order. */
  changes: MemberChange[];
  /** Whether events were missed, so that the list does not change until a snapshot comes. */
  needsSnapshot: boolean;
  /** Set while the snapshot has to be applied further, see {@link Snapshot.removedAtOnce}. */
  isUnfinished?: boolean;
}

/** Removing one member costs as much as looking at this many that stay. */
const looksPerRemoval = 10;

/**
 * The members of one presence channel over all nodes, from the events and snapshots of the broker. It
 * does no I/O. An event that was applied before changes nothing. After a gap in the versions the list
 * does not change until a snapshot comes; the difference to it is what changed.
 */
export class MemberList {
  readonly #members = new LargeMap<ListedMember>();
  /** Undefined after a member left or was changed, until the list is encoded again. */
  #text: MemberListText | undefined;
  /** Members who came since the list was encoded. */
  #unlisted: ListedMember[] = [];
  #length = 0;
  #version: number | undefined;
  #newestSeen = 0;
  /** The number of the snapshot that is being applied, its version, and how many members it has so far. */
  #snapshot = 0;
  #snapshotVersion: number | undefined;
  #found = 0;
  /** Goes through the members to remove the ones who are in no part of the snapshot; undefined before it begins. */
  #sweep: Iterator<MemberChange | undefined> | undefined;

  constructor(readonly channel: string) {}

  /** Whether a snapshot has come. */
  get isKnown(): boolean {
    return this.#version !== undefined;
  }

  /** The number of members; 0 until all parts of the first snapshot have come. */
  get size(): number {
    return this.isKnown ? this.#members.size : 0;
  }

  /** The length of the ids and `user_info` of all members, in characters. */
  get length(): number {
    return this.#length;
  }

  /** Whether the user is a member. */
  has(userId: string): boolean {
    return this.isKnown && this.#members.has(userId);
  }

  /** The member with an id; undefined when there is none, or the list is not known yet. */
  get(userId: string): Member | undefined {
    return this.isKnown ? this.#members.get(userId)?.member : undefined;
  }

  /** The ids of the members; none while the list is not known yet. */
  ids(): string[] {
    return this.isKnown ? [...this.#members.keys()] : [];
  }

  /** Applies an event, unless it is older than the list. After a gap in the versions, a snapshot is needed instead. */
  apply(event: Membership): Applied {
    this.#newestSeen = Math.max(this.#newestSeen, event.version);
    if (this.#version === undefined || event.version <= this.#version) return unchanged;
    if (event.previous !== this.#version) return { changes: [], needsSnapshot: true };
    this.#version = event.version;
    const change = this.#changeBy(event);
    return { changes: change ? [change] : [], needsSnapshot: false };
  }

  #changeBy(event: Membership): MemberChange | undefined {
    if (event.type === "removed") return this.#remove(event.userId, event.reason);
    return event.type === "added" ? this.#add(event.member) : this.#update(event.member);
  }

  /**
   * Replaces the list by a snapshot, or applies a part of one; one that is older than the list changes nothing.
   * Members that are missing from one that is not settled stay.
   */
  replace(
    { isPartial, isUnsettled, members, removedAtOnce = Infinity, version }: Snapshot,
  ): Applied {
    if (this.#version !== undefined && version < this.#version) return unchanged;
    if (this.#snapshotVersion !== version) this.#beginSnapshot(version);
    const changes: (MemberChange | undefined)[] = [];
    for (const member of members) changes.push(this.#find(member));
    const isSwept = isPartial || isUnsettled || this.#removeMissing(removedAtOnce, changes);
    for (const member of members) changes.push(this.#add(member));
    if (!isPartial && isSwept) {
      this.#version = version;
      this.#snapshotVersion = undefined;
    }
    return {
      changes: changes.filter((change) => change !== undefined),
      needsSnapshot: !isPartial && isSwept && this.#newestSeen > version,
      ...!isSwept && { isUnfinished: true },
    };
  }

  #beginSnapshot(version: number): void {
    this.#snapshotVersion = version;
    this.#snapshot++;
    this.#found = 0;
    this.#sweep = undefined;
  }

  /**
   * Notes that a member is in the snapshot. @returns what changed: the update of one whom the app's server changed, or
   * the removal of one who has joined again as another
   */
  #find(member: Member): MemberChange | undefined {
    const listed = this.#members.get(member.id);
    if (!listed) return undefined;
    const isUpdated = member.isUpdated || listed.member.isUpdated;
    if (!isUpdated && listed.member.info !== member.info) return this.#remove(member.id);
    if (listed.snapshot !== this.#snapshot) this.#found++;
    listed.snapshot = this.#snapshot;
    return isUpdated ? this.#update(member) : undefined;
  }

  /** Removes some who are in no part of the snapshot. @returns whether no one is left to remove */
  #removeMissing(atOnce: number, changes: (MemberChange | undefined)[]): boolean {
    let looks = atOnce * looksPerRemoval;
    // A member who comes meanwhile is in the snapshot, and one who has gone is passed over.
    this.#sweep ??= this.#missing();
    while (this.#found < this.#members.size) {
      if (looks <= 0) return false;
      const { done, value: change } = this.#sweep.next();
      if (done) break;
      looks -= change ? looksPerRemoval : 1;
      if (change) changes.push(change);
    }
    this.#sweep = undefined;
    return true;
  }

  /** A step for each member, which removes a member that is in no part of the snapshot. */
  *#missing(): Generator<MemberChange | undefined> {
    for (const [id, { snapshot }] of this.#members.entries()) {
      yield snapshot === this.#snapshot ? undefined : this.#remove(id);
    }
  }

  /**
   * The frame that answers a subscription. Its `count` is always the number of keys of its `hash`,
   * because both come from the same map. A member who joins is appended to the frame; it is encoded
   * from the beginning only after a member left or was changed.
   */
  encode(): Frame {
    if (!this.#text) this.#text = new MemberListText(this.channel, this.#members.values());
    else for (const { encoded } of this.#unlisted) this.#text.add(encoded);
    this.#unlisted = [];
    return this.#text.frame();
  }

  #add(member: Member): MemberChange | undefined {
    if (this.#members.has(member.id)) return undefined;
    const listed = new ListedMember(member);
    if (this.#snapshotVersion !== undefined) {
      listed.snapshot = this.#snapshot;
      this.#found++;
    }
    this.#members.set(member.id, listed);
    this.#length += lengthOf(member);
    if (this.#text) this.#unlisted.push(listed);
    return { added: member };
  }

  #update(member: Member): MemberChange | undefined {
    const listed = this.#members.get(member.id);
    if (!listed || isSameMember(listed.member, member)) return undefined;
    const hasNewInfo = listed.member.info !== member.info;
    const updated = new ListedMember(member);
    updated.snapshot = listed.snapshot;
    this.#members.set(member.id, updated);
    this.#length += lengthOf(member) - lengthOf(listed.member);
    this.#text = undefined;
    this.#unlisted = [];
    return { updated: member, hasNewInfo };
  }

  #remove(userId: string, reason?: LeaveReason): MemberChange | undefined {
    const listed = this.#members.get(userId);
    if (!listed) return undefined;
    this.#members.delete(userId);
    if (listed.snapshot === this.#snapshot && this.#snapshotVersion !== undefined) this.#found--;
    this.#length -= lengthOf(listed.member);
    this.#text = undefined;
    this.#unlisted = [];
    return { removed: userId, member: listed.member, ...reason && { reason } };
  }
}

const unchanged: Applied = { changes: [], needsSnapshot: false };

function lengthOf({ id, info }: Member): number {
  return id.length + info.length;
}
