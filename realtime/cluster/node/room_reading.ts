import { LargeMap } from "../../channels/large_map.ts";
import type { Member } from "../../protocol/member.ts";
import { inOrder, readMember, readMembers, type RoomMessage } from "../messages/room_message.ts";

/**
 * The members of a large room, which are read in steps while they change: what was read, and all changes since
 * before the first step, are the members at the version of the last change. It does no I/O.
 */
export class RoomReading {
  readonly #members = new LargeMap<Member>();
  readonly #isMalformed: () => void;
  #version: number;

  /** @param version of the room before the first step */
  constructor(version: number, isMalformed: () => void) {
    this.#version = version;
    this.#isMalformed = isMalformed;
  }

  /** Of the members. */
  get version(): number {
    return this.#version;
  }

  /** The members so far, some at a time, in the order in which they joined unless they are very many. */
  *parts(mostAtOnce: number): Generator<{ members: Member[]; isLast: boolean }> {
    let members: Member[] = [];
    for (const member of inOrder(this.#members)) {
      if (members.length === mostAtOnce) {
        yield { members, isLast: false };
        members = [];
      }
      members.push(member);
    }
    yield { members, isLast: true };
  }

  /** A step was read. */
  add(texts: ReadonlyMap<string, string>): void {
    for (const member of readMembers(texts.values(), this.#isMalformed)) {
      this.#members.set(member.id, member);
    }
  }

  /**
   * Applies the changes since before the first step.
   *
   * @returns false when one of them is missing: then the members have to be read again.
   */
  apply(messages: readonly RoomMessage[]): boolean {
    for (const message of messages) {
      if (!("version" in message) || message.version <= this.#version) continue;
      if (message.previous !== this.#version) return false;
      this.#version = message.version;
      if (message.type === "removed") this.#members.delete(message.userId);
      else this.#set(message.member);
    }
    return true;
  }

  #set(text: string): void {
    const member = readMember(text);
    if (member) this.#members.set(member.id, member);
    else this.#isMalformed();
  }
}
