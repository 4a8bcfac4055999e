import type {
  Broker,
  ChannelListener,
  Membership,
  RoomLimit,
  Snapshot,
} from "../brokers/broker.ts";
import type { SendOptions } from "../connections/send_queue.ts";
import type { Departure, Publisher } from "../events/server_events.ts";
import { type Frame, subscriptionSucceeded } from "../protocol/outgoing.ts";
import type { Member } from "../protocol/member.ts";
import { type Subscriber, Subscribers } from "./subscribers.ts";

/** What the channels of an app share. */
export interface ChannelContext<S extends Subscriber> {
  readonly broker: Broker;
  /** The subscriber is in the channel, and was sent `subscription_succeeded`. */
  joined(subscriber: S, channel: Channel<S>): void;
  /** The number of subscribers over all nodes changed. */
  sized(channel: Channel<S>): void;
  /** A frame that was published to the channel reached this node. */
  published(channel: Channel<S>, frame: Frame, from: Publisher): void;
}

/** A public or private channel: the subscribers of this node. */
export class Channel<S extends Subscriber = Subscriber> implements ChannelListener {
  /** The remote address of the client that opened it, where it is known. */
  openedFrom: string | undefined;
  /** How often it is followed: it stays open without subscribers, because this node has to know what happens in it. */
  followers = 0;
  /** The subscribers over all nodes, as far as this node knows. */
  subscribersEverywhere = 0;
  /** Whether this node reports that number to the app. */
  reportsSubscribers = false;
  #isOpened = false;
  /** Subscribers that came before the channel was opened; undefined without any. */
  #early: Set<S> | undefined;

  constructor(
    readonly name: string,
    protected readonly context: ChannelContext<S>,
    readonly subscribers = new Subscribers<S>(),
  ) {}

  /** Whether nothing of the channel is left on this node. */
  get isEmpty(): boolean {
    return this.subscribers.size === 0 && !this.#early?.size && this.followers === 0;
  }

  /** Whether it has a subscriber that counts, or a member. */
  get isOccupied(): boolean {
    return this.subscribers.size > 0;
  }

  /** Adds a subscriber; on presence channels, see `PresenceChannel`. */
  join(subscriber: S): void {
    if (this.#isOpened) this.#admit(subscriber);
    else (this.#early ??= new Set()).add(subscriber);
  }

  #admit(subscriber: S): void {
    this.subscribers.add(subscriber);
    subscriber.send(subscriptionSucceeded(this.name));
    this.context.joined(subscriber, this);
  }

  /** Removes a subscriber. @param _userId the user that it joined as, if any */
  leave(subscriber: S, _userId: string | undefined, _departure: Departure): void {
    this.#early?.delete(subscriber);
    this.subscribers.delete(subscriber);
  }

  /** Sends a frame to the subscribers of this node. */
  send(frame: Frame, options?: SendOptions): void {
    this.subscribers.send(frame, options);
  }

  /** Sends a frame to the subscribers of this node, and to connections that wait to be subscribed. */
  sendHere(frame: Frame): void {
    this.send(frame);
    for (const subscriber of this.#early ?? []) subscriber.send(frame);
  }

  onPublished(frame: Frame, except: string | undefined, from: Publisher): void {
    this.send(frame, { except });
    this.context.published(this, frame, from);
  }

  onOpened(): void {
    this.#isOpened = true;
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const subscriber of early) this.#admit(subscriber);
  }

  onSubscribers(count: number, isOwn: boolean): void {
    this.subscribersEverywhere = count;
    this.reportsSubscribers = isOwn;
    this.context.sized(this);
  }

  /** Only presence channels have members. */
  onMembership(_event: Membership): void {}

  onSnapshot(_snapshot: Snapshot): boolean | void {}

  onClaimed(_userId: string): void {}

  onFull(_userId: string, _limit: RoomLimit): void {}

  listed(_userId: string): Member | undefined {
    return undefined;
  }
}
