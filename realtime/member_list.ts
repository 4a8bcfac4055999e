import type { Member, Membership, Snapshot } from "./broker.ts";
import { type Frame, frameOf } from "./frame.ts";

/** A change of the list, to be told to the channel's subscribers in order. */
export type MemberChange = { added: Member } | { removed: string };

/** What an event or a snapshot did to the list, and whether a new snapshot is needed. */
export interface Applied {
  changes: MemberChange[];
  needsSnapshot: boolean;
}

/** A member with its pieces of the encoded list: JSON inside a JSON string. */
interface Entry {
  readonly member: Member;
  readonly id: string;
  readonly info: string;
}

/**
 * The members of one presence channel over all nodes, as the broker tells them. Pure. An event that
 * was seen already changes nothing; after a gap the list stands still until a snapshot comes, and the
 * difference is what changed.
 */
export class MemberList {
  readonly #entries = new Map<string, Entry>();
  #version: number | undefined;
  #newestSeen = 0;
  #encoded: Frame | undefined;

  constructor(readonly channel: string) {}

  get size(): number {
    return this.#entries.size;
  }

  has(userId: string): boolean {
    return this.#entries.has(userId);
  }

  ids(): string[] {
    return [...this.#entries.keys()];
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
    for (const [id, { member }] of this.#entries) {
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
   * both come from the same map. Encoded anew only after a change, from pieces that are kept.
   */
  encode(): Frame {
    return this.#encoded ??= this.#encode();
  }

  #encode(): Frame {
    const entries = [...this.#entries.values()];
    const ids = entries.map(({ id }) => id).join(",");
    const hash = entries.map(({ id, info }) => `${id}:${info}`).join(",");
    const presence = `{\\"presence\\":{\\"ids\\":[${ids}],\\"hash\\":{${hash}},` +
      `\\"count\\":${entries.length}}}`;
    return frameOf(
      `{"event":"pusher_internal:subscription_succeeded",` +
        `"channel":${JSON.stringify(this.channel)},"data":"${presence}"}`,
    );
  }

  #add(member: Member): MemberChange | undefined {
    if (this.#entries.has(member.id)) return undefined;
    this.#encoded = undefined;
    this.#entries.set(member.id, {
      member,
      id: inString(JSON.stringify(member.id)),
      info: inString(member.info),
    });
    return { added: member };
  }

  #remove(userId: string): MemberChange | undefined {
    if (!this.#entries.delete(userId)) return undefined;
    this.#encoded = undefined;
    return { removed: userId };
  }
}

const unchanged: Applied = { changes: [], needsSnapshot: false };

/** A text as it stands inside a JSON string. */
function inString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
