import type { Member, Membership, Snapshot } from "../brokers/broker.ts";
import type { Frame } from "../protocol/frame.ts";
import { type EncodedMember, encodedMember, MemberListText } from "./member_list_text.ts";

/** A change of the list, to be told to the channel's subscribers in order. */
export type MemberChange = { added: Member } | { removed: string };

/** What an event or a snapshot did to the list, and whether a new snapshot is needed. */
export interface Applied {
  changes: MemberChange[];
  needsSnapshot: boolean;
}

/**
 * The members of one presence channel over all nodes, as the broker tells them. Pure. An event that
 * was seen already changes nothing; after a gap the list stands still until a snapshot comes, and the
 * difference is what changed.
 */
export class MemberList {
  readonly #members = new Map<string, EncodedMember>();
  /** Absent after somebody left, until it is needed again. */
  #text: MemberListText | undefined;
  #version: number | undefined;
  #newestSeen = 0;

  constructor(readonly channel: string) {}

  get size(): number {
    return this.#members.size;
  }

  has(userId: string): boolean {
    return this.#members.has(userId);
  }

  ids(): string[] {
    return [...this.#members.keys()];
  }

  /** Takes in one event. */
  apply(event: Membership): Applied {
    this.#newestSeen = Math.max(this.#newestSeen, event.version);
    if (this.#version === undefined || event.version <= this.#version) return unchanged;
    if (event.version > this.#version + 1) return { changes: [], needsSnapshot: true };
    this.#version = event.version;
    const change = event.type === "added" ? this.#add(event.member) : this.#remove(event.userId);
    return { changes: change ? [change] : [], needsSnapshot: false };
  }

  /** Takes in a snapshot; one that is older than the list changes nothing. */
  replace(snapshot: Snapshot): Applied {
    if (this.#version !== undefined && snapshot.version < this.#version) return unchanged;
    const now = new Map(snapshot.members.map((member) => [member.id, member]));
    const changes: (MemberChange | undefined)[] = [];
    for (const [id, { member }] of this.#members) {
      if (now.get(id)?.info !== member.info) changes.push(this.#remove(id));
    }
    for (const member of now.values()) changes.push(this.#add(member));
    this.#version = snapshot.version;
    return {
      changes: changes.filter((change) => change !== undefined),
      needsSnapshot: this.#newestSeen > snapshot.version,
    };
  }

  /**
   * The answer to a subscription: everybody here. `count` is the number of keys of `hash`, always, as
   * both come from the same map. Encoded anew only after somebody left; who joins is appended.
   */
  encode(): Frame {
    this.#text ??= new MemberListText(this.channel, this.#members.values());
    return this.#text.frame();
  }

  #add(member: Member): MemberChange | undefined {
    if (this.#members.has(member.id)) return undefined;
    const encoded = encodedMember(member);
    this.#members.set(member.id, encoded);
    this.#text?.add(encoded);
    return { added: member };
  }

  #remove(userId: string): MemberChange | undefined {
    if (!this.#members.delete(userId)) return undefined;
    this.#text = undefined;
    return { removed: userId };
  }
}

const unchanged: Applied = { changes: [], needsSnapshot: false };
