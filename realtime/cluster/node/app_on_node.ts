import type { ChannelListener } from "../../brokers/broker.ts";
import type { Clock } from "../../timing/clock.ts";
import { channelKind, isReported } from "../../protocol/channel_names.ts";
import { channelOf, roomOf } from "../state/shared_state.ts";
import { FollowedRooms, type NodeParts } from "./followed_rooms.ts";
import { ClaimedUsers } from "./claimed_users.ts";
import type { NodeListener } from "./node.ts";
import { OpenConnections } from "./open_connections.ts";

/**
 * What this server registers of an app to the others: whom it claims, which rooms it follows, how many connections
 * it has. It outlives the app's broker until the engine has taken all that back, however long the engine is away. A
 * broker that follows continues with it, so that no late call for the previous broker undoes what it registers.
 */
export class AppOnNode implements NodeListener {
  readonly users: ClaimedUsers;
  readonly rooms: FollowedRooms;
  readonly connections: OpenConnections;
  readonly #ended: () => void;
  #brokers = 0;

  /** @param ended no broker uses it, and nothing of it is left in the engine */
  constructor(appId: string, clock: Clock, parts: NodeParts, ended: () => void) {
    const { node, state } = parts;
    const reportedApp = (room: string) => isReported(channelOf(room)) ? appId : undefined;
    this.rooms = new FollowedRooms(
      parts,
      clock,
      // Members occupy a presence channel; subscribers that only watch do not.
      (room) => channelKind(channelOf(room)) === "presence" ? undefined : reportedApp(room),
    );
    const listenerOf = (room: string): ChannelListener | undefined => this.rooms.listenerOf(room);
    this.users = new ClaimedUsers({
      node,
      state,
      appOf: reportedApp,
      listed: (room, userId) => listenerOf(room)?.listed(userId),
      claimed: (room, userId) => listenerOf(room)?.onClaimed(userId),
      full: (room, userId, limit) => listenerOf(room)?.onFull(userId, limit),
    });
    this.connections = new OpenConnections(node, state, roomOf(appId, "#connections"));
    const remove = node.add(this);
    this.#ended = () => {
      remove();
      ended();
    };
  }

  /** A broker uses it from now on. */
  use(): void {
    this.#brokers++;
  }

  /** A broker that used it has stopped. @param isRemoved see `Broker.stop` */
  leave(isRemoved: boolean): void {
    this.#brokers--;
    if (isRemoved) return this.#withdraw();
    this.users.stop();
    this.rooms.stop();
    this.#ended();
  }

  #withdraw(): void {
    // The reason that the broker of a single server gives.
    this.users.leaveAll("server_restart");
    this.rooms.closeAll();
    this.connections.withdraw();
    void this.retry();
  }

  async resync(): Promise<boolean> {
    await this.connections.resync();
    await this.users.resync();
    await this.rooms.resync();
    return this.users.areRegistered && this.rooms.areRegistered;
  }

  async retry(): Promise<boolean> {
    await Promise.all([this.connections.retry(), this.users.retry(), this.rooms.retry()]);
    const isWithdrawn = this.users.size === 0 && this.rooms.size === 0 &&
      !this.connections.areRegistered;
    if (this.#brokers === 0 && isWithdrawn) this.#ended();
    return this.users.areRegistered && this.rooms.areRegistered;
  }
}
