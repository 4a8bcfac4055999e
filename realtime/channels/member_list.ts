import type { Membership, Snapshot } from "../brokers/broker.ts";
import type { Frame } from "../protocol/frame.ts";
import type { Member } from "../protocol/users.ts";
import { ListedMember, MemberListText } from "./member_list_text.ts";

/** A change of the list. */
export type MemberChange = { added: Member } | { removed: string };

/** What an event or a snapshot changed. */
export interface Applied {
  /** In order. */
  changes: MemberChange[];
  /** Whether events were missed, so that the list stands still until a snapshot comes. */
  needsSnapshot: boolean;
}

/**
 * The members of one presence channel over all nodes, from the events and snapshots of the broker. It
 * does no I/O. An event that was applied before changes nothing. After a gap in the versions the list
 * stands still until a snapshot comes; the difference to it is what changed.
 */
export class MemberList {
  readonly #members = new Map<string, ListedMember>();
  /** Undefined after a member left, until the list is encoded again. */
  #text: MemberListText | undefined;
  /** Members who came since the list was encoded. */
  #unlisted: ListedMember[] = [];
  #length = 0;
  #version: number | undefined;
  #newestSeen = 0;

  constructor(readonly channel: string) {}

  /** Whether a snapshot has come. */
  get isKnown(): boolean {
    return this.#version !== undefined;
  }

  /** The number of members. */
  get size(): number {
    return this.#members.size;
  }

  /** The length of the ids and `user_info` of all members, in characters. */
  get length(): number {
    return this.#length;
  }

  /** Whether the user is a member. */
  has(userId: string): boolean {
    return this.#members.has(userId);
  }

  /** The member with an id. */
  get(userId: string): Member | undefined {
    return this.#members.get(userId)?.member;
  }

  /** The ids of the members. */
  ids(): string[] {
    return [...this.#members.keys()];
  }

  /** Applies an event. */
  apply(event: Membership): Applied {
    this.#newestSeen = Math.max(this.#newestSeen, event.version);
    if (this.#version === undefined || event.version <= this.#version) return unchanged;
    if (event.previous !== this.#version) return { changes: [], needsSnapshot: true };
    this.#version = event.version;
    const change = event.type === "added" ? this.#add(event.member) : this.#remove(event.userId);
    return { changes: change ? [change] : [], needsSnapshot: false };
  }

  /**
   * Replaces the list by a snapshot; one that is older than the list changes nothing. Members that are
   * missing from one that is not settled stay.
   */
  replace(snapshot: Snapshot): Applied {
    if (this.#version !== undefined && snapshot.version < this.#version) return unchanged;
    const now = new Map(snapshot.members.map((member) => [member.id, member]));
    const changes: (MemberChange | undefined)[] = [];
    for (const [id, { member }] of this.#members) {
      const listed = now.get(id);
      if (!listed && snapshot.isUnsettled) continue;
      if (listed?.info !== member.info) changes.push(this.#remove(id));
    }
    for (const member of now.values()) changes.push(this.#add(member));
    this.#version = snapshot.version;
    return {
      changes: changes.filter((change) => change !== undefined),
      needsSnapshot: this.#newestSeen > snapshot.version,
    };
  }

  /**
   * The frame that answers a subscription. Its `count` is always the number of keys of its `hash`,
   * because both come from the same map. A member who joins is appended to the frame; it is encoded
   * from the beginning only after a member left.
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
    this.#members.set(member.id, listed);
    this.#length += lengthOf(member);
    if (this.#text) this.#unlisted.push(listed);
    return { added: member };
  }

  #remove(userId: string): MemberChange | undefined {
    const member = this.get(userId);
    if (!member) return undefined;
    this.#members.delete(userId);
    this.#length -= lengthOf(member);
    this.#text = undefined;
    this.#unlisted = [];
    return { removed: userId };
  }
}

const unchanged: Applied = { changes: [], needsSnapshot: false };

function lengthOf({ id, info }: Member): number {
  return id.length + info.length;
}
