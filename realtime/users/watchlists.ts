import type { Broker, ChannelListener, Membership, Snapshot } from "../brokers/broker.ts";
import { LeaveGrace } from "../channels/presence_tracker.ts";
import { type Applied, MemberList } from "../channels/member_list.ts";
import type { Connection, SignedInUser } from "../connections/connection.ts";
import type { Departure, LeaveReason } from "../events/server_events.ts";
import type { ResolvedOptions } from "../options.ts";
import type { Member } from "../protocol/member.ts";
import { signedInChannel } from "../protocol/channel_names.ts";
import { watchlistEvents } from "../protocol/outgoing.ts";
import { SignedInUsers } from "./signed_in_users.ts";

/**
 * Sends connections the online status of the users on their watchlists. The users who are signed in are the
 * members of a channel of their own, so that all nodes know them: only where the app has watchlists, as each
 * member costs every node memory and messages.
 */
export class Watchlists implements ChannelListener {
  readonly #broker: Broker;
  readonly #areOn: () => boolean;
  readonly #grace: LeaveGrace;
  readonly #signedIn: SignedInUsers<Connection>;
  /** The users who are signed in, while this node has one of them; undefined else. */
  #online: MemberList | undefined;
  /** Connections that have not been sent the status of those they watch. */
  readonly #waiting = new Set<Connection>();

  constructor(
    broker: Broker,
    { clock, presenceGraceMs }: ResolvedOptions,
    /** Whether the app has watchlists now. */
    areOn: () => boolean,
  ) {
    this.#broker = broker;
    this.#areOn = areOn;
    this.#grace = new LeaveGrace(presenceGraceMs, clock);
    this.#signedIn = new SignedInUsers(
      this.#grace,
      (userId, reason) => this.#wentOffline(userId, reason),
    );
  }

  /** A connection signed in: its watchers get its status, and it gets the status of everyone it watches. */
  enter(connection: Connection, user: SignedInUser): void {
    const wasOffline = this.#signedIn.add(connection, user);
    if (!this.#areOn()) return;
    this.#open();
    if (wasOffline) this.#join(user.id);
    if (user.watchlist.length === 0) return;
    this.#waiting.add(connection);
    this.#sendToWaiting();
  }

  /** The app may have watchlists from now on, or no longer have any. */
  configured(): void {
    const areOn = this.#areOn();
    if (areOn === (this.#online !== undefined) || this.#signedIn.online === 0) return;
    if (areOn) {
      this.#open();
      for (const userId of this.#signedIn.onlineIds()) this.#join(userId);
    } else {
      for (const userId of this.#signedIn.onlineIds()) {
        this.#broker.leave(signedInChannel, userId, "unsubscribed");
      }
      this.#close();
    }
  }

  #open(): void {
    if (this.#online) return;
    this.#online = new MemberList(signedInChannel);
    this.#broker.open(signedInChannel, this);
  }

  #join(id: string): void {
    const member = { id, info: "{}" };
    this.#broker.join(signedInChannel, member, { isGuest: false, maxMembers: 0 });
  }

  #close(): void {
    this.#online = undefined;
    this.#waiting.clear();
    this.#broker.close(signedInChannel);
  }

  /** A connection was released, signed in or not. */
  leave(connection: Connection, departure: Departure): void {
    this.#waiting.delete(connection);
    const { user } = connection;
    if (user && this.#signedIn.remove(connection, departure)) {
      this.#wentOffline(user.id, departure.reason);
    }
  }

  #wentOffline(userId: string, reason: LeaveReason): void {
    if (!this.#online) return;
    this.#broker.leave(signedInChannel, userId, reason);
    if (this.#signedIn.online === 0) this.#close();
  }

  onOpened(): void {
    this.#sendToWaiting();
  }

  onMembership(event: Membership): void {
    this.#apply(this.#online?.apply(event));
  }

  onSnapshot(snapshot: Snapshot): boolean {
    const applied = this.#online?.replace(snapshot);
    this.#apply(applied);
    this.#sendToWaiting();
    return applied?.isUnfinished === true;
  }

  onClaimed(): void {}

  onFull(): void {}

  listed(userId: string): Member | undefined {
    return this.#online?.get(userId);
  }

  onPublished(): void {}

  onSubscribers(): void {}

  #apply({ changes, needsSnapshot }: Applied = { changes: [], needsSnapshot: false }): void {
    for (const change of changes) {
      if ("added" in change) this.#send("online", change.added.id);
      if ("removed" in change) this.#send("offline", change.removed);
    }
    if (needsSnapshot) this.#broker.snapshot(signedInChannel);
  }

  #sendToWaiting(): void {
    const members = this.#online;
    if (!members?.isKnown) return;
    for (const connection of this.#waiting) {
      const { online = [], offline = [] } = Object.groupBy(
        connection.user?.watchlist ?? [],
        (id) => members.has(id) ? "online" : "offline",
      );
      connection.send(watchlistEvents({ online, offline }));
    }
    this.#waiting.clear();
  }

  #send(status: "online" | "offline", userId: string): void {
    const frame = watchlistEvents({ [status]: [userId] });
    for (const watcher of this.#signedIn.watchersOf(userId)) {
      if (!this.#waiting.has(watcher)) watcher.send(frame);
    }
  }

  /** Ends the leave grace of a user: without a connection, it goes offline now. */
  endGrace(userId: string, reason: LeaveReason): void {
    this.#grace.end(userId, reason);
  }

  /** The server is about to close its connections: no leave grace ends. */
  pause(): void {
    this.#grace.pause();
  }

  /** Cancels every leave grace. */
  stop(): void {
    this.#grace.stop();
  }

  /** The number of entries in memory, by what they are. */
  stats() {
    return {
      /** Users who are signed in or in their leave grace. */
      signedInOrLeaving: this.#signedIn.online,
      /** Users who are signed in. */
      signedIn: this.#signedIn.users,
      /** Users who are watched. */
      watched: this.#signedIn.watched,
      /** Signed-in users of whom a connection closed within the leave grace. */
      signingOut: this.#grace.size,
    };
  }
}
