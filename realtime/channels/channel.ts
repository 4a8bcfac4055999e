import type { Broker, ChannelListener, Membership, Snapshot } from "../brokers/broker.ts";
import { FrameLog, type LoggedFrame, type SendOptions } from "../connections/frame_log.ts";
import type { LateList } from "../connections/send_queue.ts";
import type { Departure, LeaveReason } from "../events/leave_reason.ts";
import type { ChannelServerEvent } from "../events/server_events.ts";
import type { Frame } from "../protocol/frame.ts";
import { memberAdded, memberRemoved, subscriptionSucceeded } from "../protocol/outgoing.ts";
import type { Member } from "../protocol/users.ts";
import type { LeaveGrace } from "./leave_grace.ts";
import { type Applied, type MemberChange, MemberList } from "./member_list.ts";
import { PresenceTracker } from "./presence_tracker.ts";

/** A connection, as a channel sees it; identity distinguishes two. */
export interface Subscriber {
  readonly id: string;
  send(frame: Frame): void;
  /** Sends the last frame of a channel's log, now or after those that wait. */
  sendLogged(entry: LoggedFrame): void;
  /** Sends a member list, now or after what waits, before what the channel sends from now on. */
  sendList(list: LateList): void;
  /** Drops the frames of a channel that wait. */
  unfollow(log: FrameLog): void;
}

/** What the channels of an app share. */
export interface ChannelContext<S extends Subscriber> {
  readonly broker: Broker;
  readonly grace: LeaveGrace;
  isGuest(userId: string): boolean;
  /** The subscriber is in the channel, and was sent `subscription_succeeded`. */
  joined(subscriber: S, channel: Channel<S>): void;
  /** The members or connections of a presence channel changed. */
  changed(channel: Channel<S>): void;
  /** The leave grace of a presence channel's user has passed, which may have emptied the channel. */
  expired(channel: Channel<S>): void;
  emit(event: ChannelServerEvent): void;
}

/** A public or private channel: the subscribers of this node. */
export class Channel<S extends Subscriber = Subscriber> implements ChannelListener {
  readonly subscribers = new Set<S>();
  protected readonly log = new FrameLog();
  /** The remote address of the client that opened it, where it is known. */
  openedFrom: string | undefined;
  protected readonly context: ChannelContext<S>;

  constructor(readonly name: string, context: ChannelContext<S>) {
    this.context = context;
  }

  /** Whether nothing of the channel is left on this node. */
  get isEmpty(): boolean {
    return this.subscribers.size === 0;
  }

  /** Whether it has a subscriber that counts, or a member. */
  get isOccupied(): boolean {
    return this.subscribers.size > 0;
  }

  /** Adds a subscriber; on presence channels, see {@link PresenceChannel.joinAs}. */
  join(subscriber: S): void {
    this.subscribers.add(subscriber);
    subscriber.send(subscriptionSucceeded(this.name));
    this.context.joined(subscriber, this);
  }

  /** Removes a subscriber. @param _userId the user that it joined as, if any */
  leave(subscriber: S, _userId: string | undefined, _departure: Departure): void {
    this.remove(subscriber);
  }

  protected remove(subscriber: S): void {
    if (this.subscribers.delete(subscriber)) subscriber.unfollow(this.log);
  }

  /** Sends a frame to the subscribers of this node. */
  send(frame: Frame, options?: SendOptions): void {
    const entry = this.log.append(frame, options);
    for (const subscriber of this.subscribers) subscriber.sendLogged(entry);
  }

  onPublished(frame: Frame, except?: string): void {
    this.send(frame, { except });
  }

  onServerEvent(event: ChannelServerEvent): void {
    this.context.emit(event);
  }

  /** Only presence channels have members. */
  onMembership(_event: Membership): void {}

  onSnapshot(_snapshot: Snapshot): void {}
}

/**
 * A presence channel: the subscribers and users of this node, and the members over all nodes. The
 * tracker decides what the broker is told of this node's users; what the broker answers changes the
 * member list, and each change is sent to the subscribers. A subscriber waits until its user is a
 * member: then it is sent the list, and from then on every change. An observer is sent the same, and
 * no member, webhook or API answer shows it.
 */
export class PresenceChannel<S extends Subscriber = Subscriber> extends Channel<S> {
  readonly tracker: PresenceTracker;
  readonly members: MemberList;
  /** Subscribers whose user is not a member yet, with its id; observers have none. */
  readonly #waiting = new Map<S, string | undefined>();
  /** Subscribers that are no members, those included that wait for the list. */
  readonly #observers = new Set<S>();
  readonly #list: LateList;
  #guests = 0;

  constructor(name: string, context: ChannelContext<S>) {
    super(name, context);
    this.members = new MemberList(name);
    this.#list = { log: this.log, encode: () => this.members.encode() };
    this.tracker = new PresenceTracker(context.grace, (userId, reason) => {
      this.#left(userId, reason);
      context.changed(this);
      context.expired(this);
    });
  }

  override get isEmpty(): boolean {
    return super.isEmpty && this.#waiting.size === 0 && this.tracker.size === 0;
  }

  override get isOccupied(): boolean {
    return this.members.size > 0 || this.tracker.size > 0;
  }

  /** The number of members' connections of this node, those that wait to be members included. */
  get connections(): number {
    return this.subscribers.size + this.#waiting.size - this.#observers.size;
  }

  /** The number of connections that have not been sent the list yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Whether the user may join: a user who is a member may, however full the channel is. Guests take no
   * room from users.
   */
  hasRoomFor(userId: string, maxMembers: number): boolean {
    if (this.members.has(userId)) return true;
    const { size } = this.members;
    return (this.context.isGuest(userId) ? size : size - this.#guests) < maxMembers;
  }

  /** Adds a subscriber as a member. */
  joinAs(subscriber: S, member: Member): void {
    this.#waiting.set(subscriber, member.id);
    this.context.broker.join(this.name, member, this.tracker.connect(member.id));
    this.#admitWaiting();
    this.context.changed(this);
  }

  /** Adds a subscriber that is no member. */
  observe(subscriber: S): void {
    this.#observers.add(subscriber);
    this.#waiting.set(subscriber, undefined);
    this.#admitWaiting();
  }

  override leave(subscriber: S, userId: string | undefined, departure: Departure): void {
    this.remove(subscriber);
    this.#waiting.delete(subscriber);
    this.#observers.delete(subscriber);
    if (userId === undefined) return;
    if (this.tracker.disconnect(userId, departure)) this.#left(userId, departure.reason);
    this.context.changed(this);
  }

  #left(userId: string, reason: LeaveReason): void {
    this.context.broker.leave(this.name, userId, reason);
  }

  override onMembership(event: Membership): void {
    this.#send(this.members.apply(event));
  }

  override onSnapshot(snapshot: Snapshot): void {
    this.#send(this.members.replace(snapshot));
  }

  #send({ changes, needsSnapshot }: Applied): void {
    for (const change of changes) {
      this.#countGuest(change);
      const frame = "added" in change
        ? memberAdded(this.name, change.added)
        : memberRemoved(this.name, change.removed);
      this.send(frame, { isMembership: true });
    }
    if (changes.length > 0) this.context.changed(this);
    this.#admitWaiting();
    if (needsSnapshot) this.context.broker.snapshot(this.name);
  }

  #countGuest(change: MemberChange): void {
    if ("added" in change) this.#guests += this.context.isGuest(change.added.id) ? 1 : 0;
    else this.#guests -= this.context.isGuest(change.removed) ? 1 : 0;
  }

  /** Those who were in before have been sent the new member by now; the others get it in the list. */
  #admitWaiting(): void {
    for (const [subscriber, userId] of this.#waiting) {
      if (userId === undefined ? !this.members.isKnown : !this.members.has(userId)) continue;
      this.#waiting.delete(subscriber);
      this.subscribers.add(subscriber);
      subscriber.sendList(this.#list);
      this.context.joined(subscriber, this);
    }
  }
}
