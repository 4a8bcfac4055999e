import type { Broker, BrokerListener, Member } from "./broker.ts";
import type { Frame } from "../protocol/frame.ts";
import type { LeaveReason } from "../events/leave_reason.ts";

interface Room {
  version: number;
  members: Map<string, Member>;
}

/** A broker for a single node: in memory, and every answer comes during the call. */
export class LocalBroker implements Broker {
  readonly #rooms = new Map<string, Room>();
  #listener!: BrokerListener;

  attach(listener: BrokerListener): void {
    this.#listener = listener;
  }

  open(channel: string): void {
    this.#rooms.set(channel, { version: 0, members: new Map() });
    this.#listener.onServerEvent({ name: "channel_occupied", channel });
    this.snapshot(channel);
  }

  close(channel: string): void {
    const room = this.#rooms.get(channel);
    if (!room) return;
    this.#rooms.delete(channel);
    const reason = "server_restart";
    for (const userId of room.members.keys()) {
      this.#listener.onServerEvent({ name: "member_removed", channel, userId, reason });
    }
    this.#listener.onServerEvent({ name: "channel_vacated", channel });
  }

  join(channel: string, member: Member, _connections: number): void {
    const room = this.#rooms.get(channel);
    if (!room || room.members.has(member.id)) return;
    room.members.set(member.id, member);
    this.#listener.onMembership({ type: "added", channel, version: ++room.version, member });
    this.#listener.onServerEvent({ name: "member_added", channel, userId: member.id });
  }

  leave(channel: string, userId: string, reason: LeaveReason): void {
    const room = this.#rooms.get(channel);
    if (!room?.members.delete(userId)) return;
    this.#listener.onMembership({ type: "removed", channel, version: ++room.version, userId });
    this.#listener.onServerEvent({ name: "member_removed", channel, userId, reason });
  }

  snapshot(channel: string): void {
    const room = this.#rooms.get(channel);
    if (!room) return;
    const members = [...room.members.values()];
    this.#listener.onSnapshot({ channel, version: room.version, members });
  }

  publish(channel: string, frame: Frame, except?: string): void {
    this.#listener.onPublished(channel, frame, except);
  }

  /** How many channels are open. */
  get size(): number {
    return this.#rooms.size;
  }

  /** How much is kept. */
  stats() {
    const members = [...this.#rooms.values()].map((room) => room.members.size);
    return {
      /** Channels that the broker has open. */
      brokerChannels: this.size,
      /** Members of all its channels. */
      brokerMembers: members.reduce((total, size) => total + size, 0),
    };
  }
}
