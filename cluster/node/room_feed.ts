import { cacheMs } from "../../realtime/brokers/event_cache.ts";
import type { ChannelListener } from "../../realtime/brokers/broker.ts";
import { type Frame, frameOf } from "../../realtime/protocol/frame.ts";

import type { Clock } from "../../realtime/timing/clock.ts";
import type { IgnoredMessages } from "../messages/ignored_messages.ts";
import { readMembers } from "../messages/member_text.ts";
import { readRoomMessage, type RoomMessage } from "../messages/room_message.ts";
import type { OpenedRoom } from "../state/shared_state.ts";
import type { Node } from "./node.ts";

/** Messages that wait for a room's members; of more, none is kept, and the members are read again. */
const maxWaiting = 10_000;

/** An event that a room keeps. */
interface KeptFrame {
  readonly frame: Frame;
  /** By the clock. */
  readonly expiresAt: number;
}

/** What a {@link RoomFeed} is made with. */
export interface RoomFeedOptions {
  node: Pick<Node, "name">;
  clock: Clock;
  /** Counts what this release cannot read. */
  ignored: IgnoredMessages;
}

/**
 * What the listener of a room receives: the members as they were read, and then each change since. The
 * messages of the room's topic that come while they are read wait.
 */
export class RoomFeed {
  readonly #options: RoomFeedOptions;
  #listener: ChannelListener | undefined;
  /** Whether the members have to be read. */
  #isStale = false;
  /** Whether the listener has been told that the channel is open. */
  #isOpened = false;
  /** Messages since the reading began; undefined while none does. */
  #waiting: RoomMessage[] | undefined;
  #kept: KeptFrame | undefined;
  /** The subscribers over all servers, as the listener knows. */
  #total = 0;

  constructor(options: RoomFeedOptions) {
    this.#options = options;
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
    return this.#waiting !== undefined;
  }

  /** The frame that the room keeps. */
  get kept(): Frame | undefined {
    const kept = this.#kept;
    return kept && kept.expiresAt > this.#options.clock.now() ? kept.frame : undefined;
  }

  /** A listener receives it from the next reading on. */
  open(listener: ChannelListener): void {
    this.#listener = listener;
    this.#isStale = true;
    this.#isOpened = false;
    this.#total = 0;
  }

  /** The listener receives nothing any more. */
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
   * a time.
   *
   * @returns whether servers may have users whom they have not stated again.
   * @throws what `read` throws; then they have to be read again.
   */
  async read(read: () => Promise<OpenedRoom>): Promise<{ isUnsettled: boolean }> {
    const listener = this.#listener;
    this.#isStale = false;
    this.#waiting = [];
    try {
      const opened = await read();
      if (this.#listener !== listener || !listener) return { isUnsettled: false };
      const waiting = this.#waiting;
      this.#waiting = undefined;
      const changes = this.#isOpened ? waiting : withoutOlder(waiting, opened.cached?.text);
      this.#opened(listener, opened);
      for (const message of changes) this.#dispatch(message);
      return { isUnsettled: !opened.isSettled };
    } catch (error) {
      this.missed();
      throw error;
    } finally {
      this.#waiting = undefined;
    }
  }

  #opened(
    listener: ChannelListener,
    { cached, isSettled, members: texts, subscribers, version }: OpenedRoom,
  ): void {
    const now = this.#options.clock.now();
    this.#kept = cached && { frame: frameOf(cached.text), expiresAt: now + cached.ttlMs };
    const members = readMembers(texts.values(), this.#isMalformed);

    listener.onSnapshot({ version, members, ...!isSettled && { isUnsettled: true } });
    if (this.#total !== subscribers) listener.onSubscribers(subscribers, false);
    this.#total = subscribers;
    if (this.#isOpened) return;
    this.#isOpened = true;
    listener.onOpened();
  }

  /** Receives the messages of the room's topic. */
  readonly receive = (text: string): void => {
    if (!this.#listener) return;
    const message = readRoomMessage(text);
    if ("fault" in message) return this.#options.ignored.add(message.fault, message.what);
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
      const isOwn = message.reporter === this.#options.node.name;
      this.#total = message.count;
      return listener.onSubscribers(message.count, isOwn);
    }
    const { previous, version } = message;
    if (message.type === "removed") {
      return listener.onMembership({ type: "removed", previous, version, userId: message.userId });
    }
    const [member] = readMembers([message.member], this.#isMalformed);
    if (member) listener.onMembership({ type: "added", previous, version, member });
  }

  #published(
    listener: ChannelListener,
    { except, from, isKept, text }: Extract<RoomMessage, { type: "frame" }>,
  ): void {
    const frame = frameOf(text);
    const expiresAt = this.#options.clock.now() + cacheMs;
    if (isKept) this.#kept = { frame, expiresAt };
    listener.onPublished(frame, except, from);
  }

  readonly #isMalformed = (): void => this.#options.ignored.add("malformed", "member");
}

/** Without the events up to the one that was kept when the members were read: its subscribers get that. */
function withoutOlder(messages: readonly RoomMessage[], kept: string | undefined): RoomMessage[] {
  const last = messages.findLastIndex((message) =>
    message.type === "frame" && message.isKept && message.text === kept
  );
  return messages.filter(({ type }, index) => index > last || type !== "frame");
}
