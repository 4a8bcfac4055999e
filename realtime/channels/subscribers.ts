import {
  type Frame,
  memberAdded,
  type MemberCount,
  memberCount,
  memberRemoved,
  memberUpdated,
} from "../protocol/outgoing.ts";
import {
  FrameLog,
  type LateList,
  type LoggedFrame,
  type SendOptions,
} from "../connections/send_queue.ts";
import { type MemberChange, type MemberList, ownList } from "./member_list.ts";
import type { Clock } from "../timing/clock.ts";

/** A connection, as a channel sees it; identity distinguishes two. */
export interface Subscriber {
  readonly id: string;
  send(frame: Frame): void;
  /** Sends the last frame of a channel's log, now or after the frames that wait. */
  sendLogged(entry: LoggedFrame): void;
  /** Sends a member list, now or after what waits, before what the channel sends from now on. */
  sendList(list: LateList): void;
  /** Drops the frames of a channel that wait. */
  unfollow(log: FrameLog): void;
}

/** Subscribers of a channel on this node that are sent the same frames in the same order. */
export class Subscribers<S extends Subscriber = Subscriber> {
  readonly log = new FrameLog();
  readonly #subscribers = new Set<S>();

  /** The number of subscribers. */
  get size(): number {
    return this.#subscribers.size;
  }

  [Symbol.iterator](): Iterator<S> {
    return this.#subscribers.values();
  }

  /** Adds a subscriber: it is sent every frame from now on. */
  add(subscriber: S): void {
    this.#subscribers.add(subscriber);
  }

  /** Removes a subscriber, and drops what waits for it. @returns whether it was one */
  delete(subscriber: S): boolean {
    const isDeleted = this.#subscribers.delete(subscriber);
    if (isDeleted) subscriber.unfollow(this.log);
    return isDeleted;
  }

  /** Whether it is one of them. */
  has(subscriber: S): boolean {
    return this.#subscribers.has(subscriber);
  }

  /**
   * Sends one subscriber a short frame, encoded when its turn comes: after its list, and dropped if it
   * leaves before.
   */
  sendLate(subscriber: S, encode: () => Frame): void {
    subscriber.sendList({ log: this.log, isShort: true, encode });
  }

  /** Sends a frame to all subscribers. */
  send(frame: Frame, options?: SendOptions): void {
    if (this.size === 0) return;
    const entry = this.log.append(frame, { ...options, receivers: this.size });
    for (const subscriber of this.#subscribers) subscriber.sendLogged(entry);
  }
}

/**
 * The subscribers of a presence channel that are sent the member list and every change of it. Members
 * that leave are announced at the end of the tick of the event loop, so that users who leave in the same
 * tick are sent nothing, or before anything else that is sent.
 */
export class FullSubscribers<S extends Subscriber = Subscriber> extends Subscribers<S> {
  /** Users who left and have not been announced. */
  #departed: string[] = [];
  readonly #members: MemberList;
  readonly #list: LateList;

  constructor(members: MemberList) {
    super();
    this.#members = members;
    this.#list = { log: this.log, encode: () => this.#encodeList() };
  }

  /** Adds a subscriber, and sends it the list. */
  admit(subscriber: S): void {
    this.sendDepartures();
    this.add(subscriber);
    subscriber.sendList(this.#list);
  }

  /** A departure is no more in the list, but has to be sent to subscribers who have one already. */
  #encodeList(): Frame {
    this.sendDepartures();
    return this.#members.encode();
  }

  override send(frame: Frame, options?: SendOptions): void {
    this.sendDepartures();
    super.send(frame, options);
  }

  /** Announces a change: at once, or {@link sendDepartures} has to follow. */
  announce(change: MemberChange): void {
    if (this.size === 0) return;
    const { channel } = this.#members;
    const isMembership = true;
    if ("removed" in change) this.#departed.push(change.removed);
    else if ("added" in change) this.send(memberAdded(channel, change.added), { isMembership });
    else if (change.hasNewInfo) this.send(memberUpdated(channel, change.updated), { isMembership });
  }

  /** Announces which members left. */
  sendDepartures(): void {
    for (const userId of this.#departed.splice(0)) {
      super.send(memberRemoved(this.#members.channel, userId), { isMembership: true });
    }
  }
}

/** The subscribers of a presence channel that are sent the number of members. */
export class QuietSubscribers<S extends Subscriber = Subscriber> extends Subscribers<S> {
  /** Subscribers that have not been sent the number. */
  readonly #pending = new Set<S>();
  readonly #members: MemberList;
  readonly #clock: Clock;
  readonly #guests: () => number;
  #last: (MemberCount & { frame: Frame }) | undefined;

  /** @param guests how many of the members are guests. */
  constructor(members: MemberList, guests: () => number, clock: Clock) {
    super();
    this.#members = members;
    this.#guests = guests;
    this.#clock = clock;
  }

  /**
   * Adds a subscriber, and sends it a list of itself; {@link sendCountToPending} has to follow.
   *
   * @param userId whom it joined as; an observer is in no list.
   */
  admit(subscriber: S, userId: string | undefined): void {
    this.add(subscriber);
    const { channel } = this.#members;
    const member = () => userId === undefined ? undefined : this.#members.get(userId);
    this.sendLate(subscriber, () => ownList(channel, member()));
    this.#pending.add(subscriber);
  }

  override delete(subscriber: S): boolean {
    this.#pending.delete(subscriber);
    return super.delete(subscriber);
  }

  /** Sends all the number of members. */
  sendCount(): void {
    this.#pending.clear();
    if (this.size > 0) this.send(this.#count());
  }

  /** Sends the number of members to subscribers that have not been sent it. */
  sendCountToPending(): void {
    // What waits before it may be followed by a later number: this one has to be as new.
    for (const subscriber of this.#pending) this.sendLate(subscriber, () => this.#count());
    this.#pending.clear();
  }

  /** One frame for all who are sent the same number in the same millisecond. */
  #count(): Frame {
    const { channel, size: users } = this.#members;
    const count = { users, guests: this.#guests(), asOf: this.#clock.date() };
    const last = this.#last;
    if (last?.users === users && last.guests === count.guests && last.asOf === count.asOf) {
      return last.frame;
    }
    const frame = memberCount(channel, count);
    this.#last = { ...count, frame };
    return frame;
  }
}
