import type { Broker, ChannelListener, Membership, Snapshot } from "../brokers/broker.ts";
import type { SendOptions } from "../connections/frame_log.ts";
import type { Departure } from "../events/leave_reason.ts";
import type { ChannelServerEvent } from "../events/server_events.ts";
import type { Frame } from "../protocol/frame.ts";
import { subscriptionSucceeded } from "../protocol/outgoing.ts";
import { Audience, type Subscriber } from "./audience.ts";

/** What the channels of an app share. */
export interface ChannelContext<S extends Subscriber> {
  readonly broker: Broker;
  /** The subscriber is in the channel, and was sent `subscription_succeeded`. */
  joined(subscriber: S, channel: Channel<S>): void;
  emit(event: ChannelServerEvent): void;
}

/** A public or private channel: the subscribers of this node. */
export class Channel<S extends Subscriber = Subscriber> implements ChannelListener {
  /** The remote address of the client that opened it, where it is known. */
  openedFrom: string | undefined;

  constructor(
    readonly name: string,
    protected readonly context: ChannelContext<S>,
    readonly subscribers = new Audience<S>(),
  ) {}

  /** Whether nothing of the channel is left on this node. */
  get isEmpty(): boolean {
    return this.subscribers.size === 0;
  }

  /** Whether it has a subscriber that counts, or a member. */
  get isOccupied(): boolean {
    return this.subscribers.size > 0;
  }

  /** Adds a subscriber; on presence channels, see `PresenceChannel`. */
  join(subscriber: S): void {
    this.subscribers.add(subscriber);
    subscriber.send(subscriptionSucceeded(this.name));
    this.context.joined(subscriber, this);
  }

  /** Removes a subscriber. @param _userId the user that it joined as, if any */
  leave(subscriber: S, _userId: string | undefined, _departure: Departure): void {
    this.subscribers.delete(subscriber);
  }

  /** Sends a frame to the subscribers of this node. */
  send(frame: Frame, options?: SendOptions): void {
    this.subscribers.send(frame, options);
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
