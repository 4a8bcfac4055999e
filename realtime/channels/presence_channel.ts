import type { Membership, RoomLimit, Snapshot } from "../brokers/broker.ts";
import type { SendOptions } from "../connections/send_queue.ts";
import { type Departure, departures, type LeaveReason } from "../events/server_events.ts";
import type { Frame } from "../protocol/outgoing.ts";
import type { Member } from "../protocol/member.ts";
import type { Clock } from "../timing/clock.ts";
import { FullSubscribers, QuietSubscribers, type Subscriber } from "./subscribers.ts";
import { Channel, type ChannelContext } from "./channel.ts";
import { type LeaveGrace, PresenceTracker, SubscribersByUser } from "./presence_tracker.ts";
import { hasRoom } from "./channel_limits.ts";
import { type Applied, type MemberChange, MemberList } from "./member_list.ts";
import { maxImmediate } from "./counts.ts";
import { ActivityOfUsers, nextActivity } from "./user_activity.ts";
import type { UserActivity } from "../connections/connection.ts";

/** What the presence channels of an app share. */
export interface PresenceContext<S extends Subscriber> extends ChannelContext<S> {
  readonly grace: LeaveGrace;
  readonly clock: Clock;
  isGuest(userId: string): boolean;
  /** How many members a channel may have now. */
  maxMembers(): number;
  /** How many of them may be full members. */
  maxFullMembers(): number;
  /** The channel is full, so the subscriber is not in it. */
  refused(subscriber: S, channel: PresenceChannel<S>, limit: RoomLimit): void;
  /** A user became a member, stopped being one or was changed, since this node knows the members. */
  memberChanged(channel: PresenceChannel<S>, change: MemberChange): void;
  /** Whether a member's subscriber is used, as far as it is known. */
  activityOf(subscriber: S, channel: string): UserActivity | undefined;
  /** A user of this node is active, idle or neither from now on. */
  activityChanged(channel: PresenceChannel<S>, userId: string): void;
  /** The members or connections changed. @param userId whose connections of this node did */
  changed(channel: PresenceChannel<S>, userId?: string): void;
  /**
   * Subscribers have to be told of a change: {@link PresenceChannel.endTick} has to follow, once all
   * have joined and left who do so in this tick of the event loop.
   */
  endsTick(channel: PresenceChannel<S>): void;
  /** The number of members changed: `quiet.sendCount` has to follow. */
  counted(channel: PresenceChannel<S>): void;
  /** A user's leave grace has passed, which may have emptied the channel. */
  expired(channel: PresenceChannel<S>): void;
}

/** How a subscriber takes part. */
interface Part<S> {
  readonly subscriber: S;
  /** Whom it joined as; an observer is no member. */
  readonly userId: string | undefined;
  readonly member: Member | undefined;
  /** Whether it is told the number of members instead of who they are. */
  readonly isQuiet: boolean;
}

/**
 * A presence channel: the subscribers and users of this node, and the members over all nodes. The
 * tracker decides what the broker is told of this node's users; what the broker answers changes the
 * member list, and each change is sent to the full subscribers, which are {@link subscribers}. A
 * subscriber waits until its user is a member: then it is sent the list, and from then on every change.
 * A quiet one is sent a list of itself, and the number of members. An observer is sent the same as a
 * member, and no member, webhook or API answer shows it.
 */
export class PresenceChannel<S extends Subscriber = Subscriber> extends Channel<S> {
  readonly quiet: QuietSubscribers<S>;
  readonly tracker: PresenceTracker;
  readonly members: MemberList;
  /** The subscribers of this node that joined as members. */
  readonly byUser = new SubscribersByUser<S>();
  /** Whether the users of this node are active. */
  readonly activity = new ActivityOfUsers();
  /** Subscribers whose user is not a member yet. A map would leave more garbage with each join. */
  readonly #waiting: Part<S>[] = [];
  /** Subscribers that are no members, those included that wait for the list. */
  readonly #observers = new Set<S>();
  /** It is {@link subscribers}. */
  readonly #fullSubscribers: FullSubscribers<S>;
  #guests = 0;
  /** Members' connections of other nodes, as they were when this node heard of them last. */
  #remote = 0;
  /** Whether the members changed in this tick of the event loop. */
  #isChanged = false;
  /** Whether {@link endTick} follows. */
  #isEndingTick = false;

  constructor(name: string, protected override readonly context: PresenceContext<S>) {
    const members = new MemberList(name);
    const fullSubscribers = new FullSubscribers<S>(members);
    super(name, context, fullSubscribers);
    this.members = members;
    this.#fullSubscribers = fullSubscribers;
    this.quiet = new QuietSubscribers(members, () => this.#guests, context.clock);
    const expired = (userId: string, reason: LeaveReason) => {
      this.#left(userId, reason);
      this.activityReported(userId, true);
      context.changed(this, userId);
      context.expired(this);
    };
    const stayed = (userId: string) => this.activityReported(userId, true);
    this.tracker = new PresenceTracker(context.grace, expired, context.isGuest, stayed);
  }

  override get isEmpty(): boolean {
    return super.isEmpty && this.quiet.size === 0 && this.waiting === 0 &&
      this.tracker.size === 0;
  }

  override get isOccupied(): boolean {
    return this.members.size > 0 || this.tracker.size > 0;
  }

  /** The number of members' connections of this node, including connections that wait to be members. */
  get connections(): number {
    return this.subscribers.size + this.quiet.size + this.waiting - this.#observers.size;
  }

  /**
   * The number of members' connections over all nodes; a user in the leave grace counts as one. Those of
   * other nodes are up to some seconds old.
   */
  get connectionsEverywhere(): number {
    return Math.max(this.members.size, this.connections + this.tracker.absent + this.#remote);
  }

  /** How many members are guests, over all nodes. */
  get guests(): number {
    return this.#guests;
  }

  /** To how many connections of this node a change of the members is sent at once, at most. */
  get toldOfChanges(): number {
    return this.subscribers.size + Math.min(this.quiet.size, maxImmediate);
  }

  /** The subscribers of this node, full and quiet. */
  *allSubscribers(): Iterable<S> {
    yield* this.subscribers;
    yield* this.quiet;
  }

  /** The number of connections that have not been sent the list yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Whether the user may join: a user who is a member may, however full the channel is. Guests take no
   * room from users.
   */
  hasRoomFor(userId: string, maxMembers: number): boolean {
    if (this.members.has(userId)) return true;
    const count = { size: this.members.size, guests: this.#guests };
    return hasRoom(count, this.context.isGuest(userId), maxMembers);
  }

  /** Whether the user may have a full connection; by the same rules as {@link hasRoomFor}. */
  hasRoomForFullMember(userId: string, maxFullMembers: number): boolean {
    const { fullMembers } = this.tracker;
    return fullMembers.has(userId) ||
      hasRoom(fullMembers, this.context.isGuest(userId), maxFullMembers);
  }

  /** Adds a subscriber as a member. */
  joinAs(subscriber: S, { id, info, options }: Member, isQuiet = false): void {
    const member = { id, info, options, joinedAt: this.context.clock.date() };
    this.#waiting.push({ subscriber, userId: member.id, member, isQuiet });
    this.byUser.add(member.id, subscriber);
    this.tracker.connect(member.id, !isQuiet);
    this.#join(member, isQuiet);
    this.#admitWaiting(member.id);
    this.context.changed(this, member.id);
  }

  #join(member: Member, isQuiet: boolean): void {
    const { broker, isGuest, maxFullMembers, maxMembers } = this.context;
    broker.join(this.name, member, {
      isGuest: isGuest(member.id),
      maxMembers: maxMembers(),
      maxFullMembers: isQuiet ? undefined : maxFullMembers(),
    });
  }

  /** Adds a subscriber that is no member. */
  observe(subscriber: S, isQuiet = false): void {
    this.#observers.add(subscriber);
    this.#waiting.push({ subscriber, userId: undefined, member: undefined, isQuiet });
    this.#admitWaiting();
  }

  override leave(subscriber: S, userId: string | undefined, departure: Departure): void {
    const isQuiet = this.quiet.delete(subscriber) ||
      this.#stopWaiting(subscriber)?.isQuiet === true;
    this.subscribers.delete(subscriber);
    this.#observers.delete(subscriber);
    if (userId === undefined) return;
    this.byUser.delete(userId, subscriber);
    if (this.tracker.disconnect(userId, departure, !isQuiet)) this.#left(userId, departure.reason);
    this.activityReported(userId, true);
    this.context.changed(this, userId);
  }

  /** A tab of a user reported whether it is used, or is gone, or was and its leave grace has passed. */
  activityReported(userId: string, isGone = false): void {
    const { clock, activityOf } = this.context;
    const before = this.activity.of(userId);
    if (isGone && !before) return;
    const subscribers = [...this.byUser.of(userId)];
    const next = this.tracker.has(userId)
      ? nextActivity({
        before,
        tabs: subscribers.map((subscriber) => activityOf(subscriber, this.name)),
        isLeaving: this.tracker.isLeaving(userId),
        isGone,
        now: clock.date(),
      })
      : undefined;
    if (this.activity.keep(userId, next)) this.context.activityChanged(this, userId);
  }

  #stopWaiting(subscriber: S): Part<S> | undefined {
    const index = this.#waiting.findIndex((part) => part.subscriber === subscriber);
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  #left(userId: string, reason: LeaveReason): void {
    this.context.broker.leave(this.name, userId, reason);
  }

  /** Sends a frame to all subscribers of this node, full and quiet. */
  override send(frame: Frame, options?: SendOptions): void {
    super.send(frame, options);
    this.quiet.send(frame, options);
  }

  override sendHere(frame: Frame): void {
    super.sendHere(frame);
    for (const { subscriber } of this.#waiting) subscriber.send(frame);
  }

  /** Sends a subscriber a frame after its list; dropped if it leaves before. */
  sendAfterList(subscriber: S, frame: Frame): void {
    const subscribers = this.quiet.has(subscriber) ? this.quiet : this.#fullSubscribers;
    subscribers.sendLate(subscriber, () => frame);
  }

  override onSubscribers(count: number, isOwn: boolean): void {
    // What this node registers again is on its way: then the number is told again.
    this.#remote = Math.max(0, count - this.connections - this.tracker.absent);
    super.onSubscribers(count, isOwn);
    if (this.context.broker.isShared) this.context.changed(this);
  }

  override onMembership(event: Membership): void {
    const userId = event.type === "removed" ? event.userId : event.member.id;
    const applied = this.members.apply(event);
    this.#passOn(applied);
    this.#apply(applied, userId);
  }

  override onSnapshot(snapshot: Snapshot): boolean {
    const wasKnown = this.members.isKnown;
    const applied = this.members.replace(snapshot);
    // Members of the first list joined before this node followed the channel.
    if (wasKnown) this.#passOn(applied);
    this.#apply(applied);
    // Of the first list, the parts before the last one are shown to no one.
    if (!wasKnown && applied.changes.length === 0 && this.members.size > 0) this.#membersChanged();
    return applied.isUnfinished === true;
  }

  #passOn({ changes }: Applied): void {
    for (const change of changes) this.context.memberChanged(this, change);
  }

  override onClaimed(userId: string): void {
    this.tracker.claimed(userId);
    this.#admitWaiting(userId);
  }

  override listed(userId: string): Member | undefined {
    return this.members.get(userId);
  }

  override onFull(userId: string, limit: RoomLimit): void {
    const theirs = this.#waiting.filter((part) => part.userId === userId);
    // A quiet connection takes no room of the full ones.
    const staying = theirs.find(({ isQuiet }) => isQuiet && limit === "fullMembers");
    for (const part of theirs) {
      if (!staying || !part.isQuiet) this.#refuse(part, userId, limit);
    }
    if (staying?.member) this.#join(staying.member, true);
    this.context.changed(this, userId);
  }

  #refuse({ subscriber, isQuiet }: Part<S>, userId: string, limit: RoomLimit): void {
    this.#stopWaiting(subscriber);
    this.byUser.delete(userId, subscriber);
    this.tracker.disconnect(userId, departures.unsubscribed, !isQuiet);
    this.activityReported(userId, true);
    this.context.refused(subscriber, this, limit);
  }

  #apply({ changes, needsSnapshot }: Applied, userId?: string): void {
    for (const change of changes) {
      this.#countGuest(change);
      this.#fullSubscribers.announce(change);
    }
    if (!this.members.isKnown) return;
    // The number of members is the same after an update.
    if (changes.some((change) => !("updated" in change))) this.#membersChanged();
    this.#admitWaiting(userId);
    if (needsSnapshot) this.context.broker.snapshot(this.name);
  }

  #membersChanged(): void {
    this.#isChanged = true;
    this.#endTickLater();
    this.context.changed(this);
  }

  #countGuest(change: MemberChange): void {
    if ("added" in change) this.#guests += this.context.isGuest(change.added.id) ? 1 : 0;
    if ("removed" in change) this.#guests -= this.context.isGuest(change.removed) ? 1 : 0;
  }

  #endTickLater(): void {
    if (this.#isEndingTick) return;
    this.#isEndingTick = true;
    this.context.endsTick(this);
  }

  /** Tells subscribers of what changed in this tick of the event loop. */
  endTick(): void {
    this.#isEndingTick = false;
    this.#fullSubscribers.sendDepartures();
    if (this.#isChanged) this.context.counted(this);
    this.#isChanged = false;
    this.quiet.sendCountToPending();
  }

  /**
   * Users who were in before have been sent the new member by now; the others get it in the list.
   *
   * @param userId whom alone the change concerns: thousands can wait while other nodes are not reached.
   */
  #admitWaiting(userId?: string): void {
    // When 20,000 wait, a look at all of them for each takes 2.4 s in all instead of 0.3 s.
    let left = userId === undefined ? Infinity : this.#mayAdmit(userId);
    for (let index = 0; left > 0 && index < this.#waiting.length;) {
      const part = this.#waiting[index];
      const isMeant = userId === undefined || part.userId === userId;
      if (isMeant && this.#mayEnter(part)) {
        left--;
        this.#waiting.splice(index, 1);
        this.#admit(part);
      } else index++;
    }
  }

  /** How many connections of a user may be let in at most. */
  #mayAdmit(userId: string): number {
    if (!this.members.has(userId) || !this.tracker.isClaimed(userId)) return 0;
    return Array.from(this.byUser.of(userId)).length;
  }

  #mayEnter({ userId }: Part<S>): boolean {
    if (userId === undefined) return this.members.isKnown;
    return this.members.has(userId) && this.tracker.isClaimed(userId);
  }

  #admit({ subscriber, userId, isQuiet }: Part<S>): void {
    if (isQuiet) {
      this.quiet.admit(subscriber, userId);
      this.#endTickLater();
    } else this.#fullSubscribers.admit(subscriber);
    this.context.joined(subscriber, this);
  }
}
