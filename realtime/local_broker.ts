import type { Broker, BrokerListener, Member } from "./broker.ts";
import type { Frame } from "./frame.ts";

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
    this.snapshot(channel);
  }

  close(channel: string): void {
    this.#rooms.delete(channel);
  }

  join(channel: string, member: Member, _connections: number): void {
    const room = this.#rooms.get(channel);
    if (!room || room.members.has(member.id)) return;
    room.members.set(member.id, member);
    this.#listener.onMembership({ type: "added", channel, version: ++room.version, member });
  }

  leave(channel: string, userId: string): void {
    const room = this.#rooms.get(channel);
    if (!room?.members.delete(userId)) return;
    this.#listener.onMembership({ type: "removed", channel, version: ++room.version, userId });
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
