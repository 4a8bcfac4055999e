import { byteLength, type Frame } from "../protocol/frame.ts";
import type { Member } from "../protocol/users.ts";

/** A member with its parts of the encoded list: JSON inside a JSON string. */
export interface EncodedMember {
  readonly member: Member;
  readonly id: string;
  readonly entry: string;
  readonly bytes: number;
}

/** Encodes the parts of a member. */
export function encodedMember(member: Member): EncodedMember {
  const id = inString(JSON.stringify(member.id));
  const entry = `${id}:${inString(member.info)}`;
  return { member, id, entry, bytes: byteLength(id) + byteLength(entry) };
}

/**
 * The frame with the member list of a presence channel, as a text that grows with each member. While
 * 1,000 users join, it takes 15 µs of CPU time for each; encoding the whole list each time takes 70.
 */
export class MemberListText {
  readonly #head: string;
  #ids = "";
  #hash = "";
  #count = 0;
  #bytes = 0;
  #frame: Frame | undefined;

  constructor(channel: string, members: Iterable<EncodedMember>) {
    this.#head = `{"event":"pusher_internal:subscription_succeeded",` +
      `"channel":${JSON.stringify(channel)},"data":"{\\"presence\\":{\\"ids\\":[`;
    for (const member of members) this.add(member);
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
