import type { LeaveReason } from "../events/leave_reason.ts";
import { channelKind } from "../protocol/channel_names.ts";
import type { Frame } from "../protocol/frame.ts";
import type { Member } from "../protocol/users.ts";
import type { Broker, ChannelListener } from "./broker.ts";

interface OpenChannel {
  readonly listener: ChannelListener;
  readonly members: Map<string, Member>;
  version: number;
}

/** The broker of a single node: it keeps everything in memory and answers during the call. */
export class LocalBroker implements Broker {
  readonly #channels = new Map<string, OpenChannel>();

  open(name: string, listener: ChannelListener): void {
    this.#channels.set(name, { listener, members: new Map(), version: 0 });
    if (!isPresence(name)) listener.onServerEvent({ name: "channel_occupied", channel: name });
    this.snapshot(name);
  }

  close(name: string): void {
    const channel = this.#channels.get(name);
    if (!channel) return;
    this.#channels.delete(name);
    const isOccupied = !isPresence(name) || channel.members.size > 0;
    const reason = "server_restart";
    for (const [userId, member] of channel.members) {
      const event = { name: "member_removed", channel: name, userId, member, reason } as const;
      channel.listener.onServerEvent(event);
    }
    if (isOccupied) channel.listener.onServerEvent({ name: "channel_vacated", channel: name });
  }

  join(name: string, member: Member, _connections: number): void {
    const channel = this.#channels.get(name);
    if (!channel || channel.members.has(member.id)) return;
    if (channel.members.size === 0) {
      channel.listener.onServerEvent({ name: "channel_occupied", channel: name });
    }
    channel.members.set(member.id, member);
    channel.listener.onMembership({ type: "added", version: ++channel.version, member });
    const userId = member.id;
    channel.listener.onServerEvent({ name: "member_added", channel: name, userId, member });
  }

  leave(name: string, userId: string, reason: LeaveReason): void {
    const channel = this.#channels.get(name);
    const member = channel?.members.get(userId);
    if (!channel || !member) return;
    channel.members.delete(userId);
    channel.listener.onMembership({ type: "removed", version: ++channel.version, userId });
    const event = { name: "member_removed", channel: name, userId, member, reason } as const;
    channel.listener.onServerEvent(event);
    if (channel.members.size > 0) return;
    channel.listener.onServerEvent({ name: "channel_vacated", channel: name });
  }

  snapshot(name: string): void {
    const channel = this.#channels.get(name);
    if (!channel) return;
    channel.listener.onSnapshot({
      version: channel.version,
      members: [...channel.members.values()],
    });
  }

  publish(name: string, frame: Frame, except?: string): void {
    this.#channels.get(name)?.listener.onPublished(frame, except);
  }

  /** The number of entries in memory, by what they are. */
  stats() {
    const members = [...this.#channels.values()].map((channel) => channel.members.size);
    return {
      /** Channels that are open. */
      brokerChannels: this.#channels.size,
      /** Members of all open channels. */
      brokerMembers: members.reduce((total, size) => total + size, 0),
    };
  }
}

/** Members occupy a presence channel; subscribers that only watch do not. */
function isPresence(channel: string): boolean {
  return channelKind(channel) === "presence";
}
