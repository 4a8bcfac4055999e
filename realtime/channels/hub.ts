import type { Broker, BrokerListener, Member, Membership, Snapshot } from "../brokers/broker.ts";
import { Channel, PresenceChannel } from "./channel.ts";
import type { Connection } from "../connections/connection.ts";
import type { Clock } from "../timing/clock.ts";
import type { Frame } from "../protocol/frame.ts";
import type { LeaveReason } from "../events/leave_reason.ts";
import type { Applied } from "./member_list.ts";
import type { ChannelServerEvent } from "../events/server_events.ts";
import { subscriptionCount, subscriptionSucceeded } from "../protocol/outgoing.ts";
import { channelKind } from "../protocol/protocol.ts";

/** What a hub needs besides its broker. */
export interface HubOptions {
  graceMs: number;
  clock: Clock;
  /** The user's grace in the channel is over after this node's grace: call {@link Hub.expire}. */
  wake: (departure: Departure) => void;
  /** The members or connections of a presence channel changed. */
  changed?: (channel: PresenceChannel<Connection>) => void;
  /** The connection is in the channel and was told so. */
  joined?: (connection: Connection, channel: Channel<Connection>) => void;
  /** The connection is in the channel no more. */
  parted?: (channel: Channel<Connection>) => void;
  /** Something happened over all nodes that this one is to tell others of. */
  occurred?: (occurrence: ChannelServerEvent) => void;
}

/** A user whose last connection to a channel closed. */
export interface Departure {
  readonly channel: string;
  readonly userId: string;
}

/** How a connection leaves its channels. */
export interface Parting {
  /** Whether its user may come back within the leave grace as if nothing had been. */
  grace: boolean;
  reason: LeaveReason;
}

/**
 * The channels of one app: joins connections to them and does what channels, tracker and broker say.
 * Whether a connection may join is decided before.
 */
export class Hub implements BrokerListener {
  readonly channels = new Map<string, Channel<Connection>>();
  readonly #broker: Broker;
  readonly #options: HubOptions;

  constructor(broker: Broker, options: HubOptions) {
    this.#broker = broker;
    this.#options = options;
    broker.attach(this);
  }

  /** The presence channel of this name, if there is one. */
  presence(name: string): PresenceChannel<Connection> | undefined {
    const channel = this.channels.get(name);
    return channel instanceof PresenceChannel ? channel : undefined;
  }

  /** Joins a connection to a public or private channel. */
  join(connection: Connection, name: string): void {
    const channel = this.#open(name);
    channel.subscribers.add(connection);
    connection.subscriptions.set(name, { channel });
    connection.send(subscriptionSucceeded(name));
    this.#options.joined?.(connection, channel);
  }

  /** Joins a connection to a presence channel as a member. */
  joinAs(connection: Connection, name: string, member: Member): void {
    const channel = this.#open(name) as PresenceChannel<Connection>;
    connection.subscriptions.set(name, { channel, userId: member.id });
    channel.wait(connection, member.id);
    this.#broker.join(name, member, channel.tracker.connect(member.id, this.#options.clock.date()));
    this.#tell(channel, { changes: [], needsSnapshot: false });
    this.#options.changed?.(channel);
  }

  /** Takes a connection out of a channel, at once: it asked to. False if it is not in it. */
  leave(connection: Connection, name: string): boolean {
    return this.#part(connection, name, 0, "unsubscribed");
  }

  /** Takes a connection out of all its channels. */
  release(connection: Connection, { grace, reason }: Parting): void {
    for (const name of connection.subscriptions.keys()) {
      this.#part(connection, name, grace ? this.#options.graceMs : 0, reason);
    }
  }

  #part(connection: Connection, name: string, graceMs: number, reason: LeaveReason): boolean {
    const subscription = connection.subscriptions.get(name);
    if (!subscription) return false;
    connection.subscriptions.delete(name);
    const { channel, userId } = subscription;
    if (channel instanceof PresenceChannel && userId !== undefined) {
      channel.remove(connection);
      this.#disconnect(channel, userId, graceMs, reason);
    } else channel.subscribers.delete(connection);
    this.#options.parted?.(channel);
    this.#closeIfEmpty(channel);
    return true;
  }

  #disconnect(
    channel: PresenceChannel<Connection>,
    userId: string,
    graceMs: number,
    reason: LeaveReason,
  ): void {
    const result = channel.tracker.disconnect(userId, this.#options.clock.now(), graceMs, reason);
    if ("wakeAt" in result) {
      this.#options.wake({ channel: channel.name, userId });
    } else if (result.connections === 0) {
      this.#broker.leave(channel.name, userId, reason);
    }
    this.#options.changed?.(channel);
  }

  /** The grace of a user who left is over: it is gone, unless it came back meanwhile. */
  expire({ channel: name, userId }: Departure): void {
    const channel = this.presence(name);
    const reason = channel?.tracker.expire(userId, this.#options.clock.now());
    if (!channel || !reason) return;
    this.#broker.leave(name, userId, reason);
    this.#options.changed?.(channel);
    this.#closeIfEmpty(channel);
  }

  /** Tells a channel's subscribers here how many they are. */
  tellCount(channel: Channel<Connection>): void {
    send(channel, subscriptionCount(channel.name, channel.subscribers.size));
  }

  /** Sends a frame to a channel's subscribers on every node. */
  publish(name: string, frame: Frame, except?: string): void {
    this.#broker.publish(name, frame, except);
  }

  onPublished(name: string, frame: Frame, except?: string): void {
    const channel = this.channels.get(name);
    if (channel) send(channel, frame, except);
  }

  onServerEvent(occurrence: ChannelServerEvent): void {
    this.#options.occurred?.(occurrence);
  }

  onMembership(event: Membership): void {
    const channel = this.presence(event.channel);
    if (channel) this.#tell(channel, channel.members.apply(event));
  }

  onSnapshot(snapshot: Snapshot): void {
    const channel = this.presence(snapshot.channel);
    if (channel) this.#tell(channel, channel.members.replace(snapshot));
  }

  #tell(channel: PresenceChannel<Connection>, applied: Applied): void {
    const { frames, admitted } = channel.outcome(applied);
    for (const frame of frames) send(channel, frame);
    if (frames.length > 0) this.#options.changed?.(channel);
    for (const connection of admitted) {
      channel.admit(connection);
      connection.sendLarge(channel.members.encode());
      this.#options.joined?.(connection, channel);
    }
    if (applied.needsSnapshot) this.#broker.snapshot(channel.name);
  }

  #open(name: string): Channel<Connection> {
    const existing = this.channels.get(name);
    if (existing) return existing;
    const channel = channelKind(name) === "presence"
      ? new PresenceChannel<Connection>(name)
      : new Channel<Connection>(name);
    this.channels.set(name, channel);
    this.#broker.open(name);
    return channel;
  }

  /** Forgets every channel. */
  close(): void {
    for (const name of this.channels.keys()) this.#broker.close(name);
    this.channels.clear();
  }

  #closeIfEmpty(channel: Channel<Connection>): void {
    if (!channel.isEmpty || this.channels.get(channel.name) !== channel) return;
    this.channels.delete(channel.name);
    this.#broker.close(channel.name);
  }
}

/** Fan-out: one frame, encoded already, to everybody but one. */
function send(channel: Channel<Connection>, frame: Frame, except?: string): void {
  for (const subscriber of channel.subscribers) {
    if (subscriber.id !== except) subscriber.send(frame);
  }
}
