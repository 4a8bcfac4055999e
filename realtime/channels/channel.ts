import type { Broker, ChannelListener, Membership, Snapshot } from "../brokers/broker.ts";
import type { Departure } from "../events/leave_reason.ts";
import type { ChannelServerEvent } from "../events/server_events.ts";
import type { Frame } from "../protocol/frame.ts";
import { subscriptionSucceeded } from "../protocol/outgoing.ts";
import type { LeaveGrace } from "./presence_tracker.ts";

/** A connection, as a channel sees it; identity distinguishes two. */
export interface Subscriber {
  readonly id: string;
  send(frame: Frame): void;
  /** Sends a frame that may be larger than the subscriber's buffer. */
  sendLarge(frame: Frame): void;
}

/** What the channels of an app share. */
export interface ChannelContext<S extends Subscriber> {
  readonly broker: Broker;
  readonly grace: LeaveGrace;
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
  protected readonly context: ChannelContext<S>;

  constructor(readonly name: string, context: ChannelContext<S>) {
    this.context = context;
  }

  /** Whether nothing of the channel is left on this node. */
  get isEmpty(): boolean {
    return this.subscribers.size === 0;
  }

  /** Adds a subscriber; on presence channels use `PresenceChannel.joinAs`. */
  join(subscriber: S): void {
    this.subscribers.add(subscriber);
    subscriber.send(subscriptionSucceeded(this.name));
    this.context.joined(subscriber, this);
  }

  /** Removes a subscriber. @param _userId the user that it joined as; presence channels only */
  leave(subscriber: S, _userId: string | undefined, _departure: Departure): void {
    this.subscribers.delete(subscriber);
  }

  /** Sends a frame to the subscribers of this node. @param except the socket id of one to leave out */
  send(frame: Frame, except?: string): void {
    for (const subscriber of this.subscribers) {
      if (subscriber.id !== except) subscriber.send(frame);
    }
  }

  onPublished(frame: Frame, except?: string): void {
    this.send(frame, except);
  }

  onServerEvent(event: ChannelServerEvent): void {
    this.context.emit(event);
  }

  /** Only presence channels have members. */
  onMembership(_event: Membership): void {}

  onSnapshot(_snapshot: Snapshot): void {}
}
