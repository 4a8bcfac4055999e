import { setImmediate } from "node:timers";
import { cacheMs } from "../../brokers/event_cache.ts";
import type { ChannelListener } from "../../brokers/broker.ts";
import type { Member } from "../../protocol/member.ts";
import { type Frame, frameOf } from "../../protocol/outgoing.ts";
import type { Clock } from "../../timing/clock.ts";
import {
  type IgnoredMessages,
  readMembers,
  readRoomMessage,
  type RoomMessage,
} from "../messages/room_message.ts";
import type { OpenedRoom } from "../state/shared_state.ts";
import type { Node } from "./node.ts";
import { RoomReading } from "./room_reading.ts";

/**
 * Messages that wait for a room's members; of more, none is kept, and the members are read again. To read a
 * million members takes some seconds.
 */
const maxWaiting = 100_000;

/** Members that the listener receives, or removes, in one tick of the event loop: some milliseconds. */
const mostAtOnce = 2_000;

/** An event that a room keeps. */
interface KeptFrame {
  readonly frame: Frame;
  /** By the clock. */
  readonly expiresAt: number;
}

/** Members' JSON texts by user id, a part of them in each step. */
type Steps = AsyncIterable<ReadonlyMap<string, string>> | Iterable<ReadonlyMap<string, string>>;

/**
 * What the listener of a room receives: the members as they were read, and then each change since. The
 * messages of the room's topic that come while they are read wait.
 */
export class RoomFeed {
  readonly #node: Node;
  readonly #clock: Clock;
  readonly #ignored: IgnoredMessages;
  #listener: ChannelListener | undefined;
  /** Whether the members have to be read. */
  #isStale = false;
  /** Whether the listener has been told that the channel is open. */
  #isOpened = false;
  /** Messages since the reading began; undefined while none does. */
  #waiting: RoomMessage[] | undefined;
  /** Whether the members are known, and only messages wait for those before them. */
  #isPassingOn = false;
  #kept: KeptFrame | undefined;
  /** The subscribers over all servers, as the listener knows. */
  #total = 0;

  /** @param ignored counts what this release cannot read */
  constructor(node: Node, clock: Clock, ignored: IgnoredMessages) {
    this.#node = node;
    this.#clock = clock;
    this.#ignored = ignored;
  }

  /** Undefined while the room is not followed. */
  get listener(): ChannelListener | undefined {
    return this.#listener;
  }

  /** Whether the members have to be read. */
  get isStale(): boolean {
    return this.#isStale;
  }

  /** Whether the members are being read. */
  get isReading(): boolean {
    return this.#waiting !== undefined && !this.#isPassingOn;
  }

  /** The frame that the room keeps. */
  get kept(): Frame | undefined {
    const kept = this.#kept;
    return kept && kept.expiresAt > this.#clock.now() ? kept.frame : undefined;
  }

  /** A listener receives it from the next reading on. */
  open(listener: ChannelListener): void {
    this.#listener = listener;
    this.#isStale = true;
    this.#isOpened = false;
    this.#total = 0;
  }

  /** The listener receives nothing more. */
  close(): void {
    this.#listener = undefined;
    this.#isStale = false;
    this.#waiting = undefined;
    this.#kept = undefined;
  }

  /** Messages may have been missed. */
  missed(): void {
    this.#isStale = this.#listener !== undefined;
  }

  /**
   * Reads the members. The caller has the messages of the topic arrive at {@link receive}, and reads once at
   * a time. They are to be read again afterwards when messages were missed meanwhile.
   *
   * @param steps the members of a room that was opened
   * @returns whether servers may have users whom they have not registered again.
   * @throws what `open` and `steps` throw; then they have to be read again.
   */
  async read(
    open: () => Promise<OpenedRoom>,
    steps: (opened: OpenedRoom) => Steps = ({ members }) => [members],
  ): Promise<{ isUnsettled: boolean }> {
    const listener = this.#listener;
    this.#isStale = false;
    this.#waiting = [];
    try {
      const opened = await open();
      const isUnsettled = !opened.isSettled;
      const reading = new RoomReading(opened.version, this.#isMalformed);
      if (opened.isLarge) {
        for await (const texts of steps(opened)) {
          if (this.#listener !== listener) return { isUnsettled: false };
          reading.add(texts);
        }
      } else reading.add(opened.members);
      if (this.#listener !== listener || !listener) return { isUnsettled: false };
      if (opened.isLarge && !await this.#applyWaiting(reading, listener)) {
        this.missed();
        return { isUnsettled: false };
      }
      await this.#opened(listener, opened, reading);
      return { isUnsettled: isUnsettled && this.#listener === listener };
    } catch (error) {
      this.missed();
      throw error;
    } finally {
      this.#waiting = undefined;
      this.#isPassingOn = false;
    }
  }

  /** Applies the changes that wait to what was read. @returns false when the members have to be read again */
  async #applyWaiting(reading: RoomReading, listener: ChannelListener): Promise<boolean> {
    for (let start = 0;; start += mostAtOnce) {
      const waiting = this.#waiting;
      if (this.#isStale || this.#listener !== listener || !waiting) return false;
      if (!reading.apply(waiting.slice(start, start + mostAtOnce))) return false;
      if (start + mostAtOnce >= waiting.length) return true;
      await nextTick();
    }
  }

  async #opened(
    listener: ChannelListener,
    opened: OpenedRoom,
    reading: RoomReading,
  ): Promise<void> {
    const { version } = reading;
    const of = { version, ...!opened.isSettled && { isUnsettled: true } };
    this.#keep(opened.cached);
    let last: Member[] = [];
    for (const { members, isLast } of reading.parts(mostAtOnce)) {
      last = members;
      if (isLast) break;
      listener.onSnapshot({ ...of, members, isPartial: true });
      await nextTick();
      if (this.#listener !== listener) return;
    }
    while (listener.onSnapshot({ ...of, members: last, removedAtOnce: mostAtOnce })) {
      last = [];
      await nextTick();
      if (this.#listener !== listener) return;
    }
    await this.#goOn(listener, opened, version);
  }

  /**
   * Keeps what the room keeps before the listener receives the members, as it may let subscribers in with
   * them. Once the channel is open, an event that waits is kept in its turn: they are sent the previous one.
   */
  #keep(cached: OpenedRoom["cached"]): void {
    if (this.#isOpened && indexOfKept(this.#waiting ?? [], cached?.text) >= 0) return;
    const now = this.#clock.now();
    this.#kept = cached && { frame: frameOf(cached.text), expiresAt: now + cached.ttlMs };
  }

  /** The listener has the members at a version. */
  async #goOn(
    listener: ChannelListener,
    { cached, subscribers }: OpenedRoom,
    version: number,
  ): Promise<void> {
    const waiting = (this.#waiting ?? []).filter((message) =>
      !("version" in message) || message.version > version
    );
    this.#waiting = [];
    this.#isPassingOn = true;
    if (this.#total !== subscribers) listener.onSubscribers(subscribers, false);
    this.#total = subscribers;
    const changes = this.#isOpened ? waiting : withoutOlder(waiting, cached?.text);
    if (!this.#isOpened) {
      this.#isOpened = true;
      listener.onOpened();
    }
    await this.#passOn(listener, changes);
  }

  /** Messages that waited: messages that come meanwhile wait behind them. */
  async #passOn(listener: ChannelListener, messages: RoomMessage[]): Promise<void> {
    const waiting = this.#waiting = messages.concat(this.#waiting ?? []);
    while (true) {
      for (const message of waiting.splice(0, mostAtOnce)) {
        // One before it may have had the room followed no more, or by another.
        if (this.#listener !== listener) return;
        this.#dispatch(message);
      }
      // Of very many, none is kept, and the members are read again.
      if (waiting.length === 0 || this.#waiting !== waiting) break;
      await nextTick();
    }
    this.#waiting = undefined;
  }

  /** Receives the messages of the room's topic. */
  readonly receive = (text: string): void => {
    if (!this.#listener) return;
    const message = readRoomMessage(text);
    if ("fault" in message) return this.#ignored.add(message.fault, message.what);
    if (!this.#waiting) return this.#dispatch(message);
    this.#waiting.push(message);
    if (this.#waiting.length <= maxWaiting) return;
    this.#waiting = [];
    this.#isStale = true;
  };

  #dispatch(message: RoomMessage): void {
    const listener = this.#listener;
    if (!listener) return;
    if (message.type === "frame") return this.#published(listener, message);
    if (message.type === "subscribers") {
      const isOwn = message.reporter === this.#node.name;
      this.#total = message.count;
      return listener.onSubscribers(message.count, isOwn);
    }
    const { previous, type, version } = message;
    if (type === "removed") {
      const { reason, userId } = message;
      return listener.onMembership({ type, previous, version, userId, reason });
    }
    const [member] = readMembers([message.member], this.#isMalformed);
    if (member) listener.onMembership({ type, previous, version, member });
  }

  #published(
    listener: ChannelListener,
    { except, from, isKept, text }: Extract<RoomMessage, { type: "frame" }>,
  ): void {
    const frame = frameOf(text);
    const expiresAt = this.#clock.now() + cacheMs;
    if (isKept) this.#kept = { frame, expiresAt };
    listener.onPublished(frame, except, from);
  }

  readonly #isMalformed = (): void => this.#ignored.add("malformed", "member");
}

/** Lets other work be done. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Without the events up to the one that was kept when the members were read: its subscribers get that. */
function withoutOlder(messages: readonly RoomMessage[], kept: string | undefined): RoomMessage[] {
  const last = indexOfKept(messages, kept);
  return messages.filter(({ type }, index) => index > last || type !== "frame");
}

/** Where the event is that a room keeps; negative when it is not among the messages. */
function indexOfKept(messages: readonly RoomMessage[], kept: string | undefined): number {
  return messages.findLastIndex((message) =>
    message.type === "frame" && message.isKept && message.text === kept
  );
}
