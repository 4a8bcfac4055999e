import { LeaveGrace } from "../channels/leave_grace.ts";
import type { Connection, SignedInUser } from "../connections/connection.ts";
import type { Departure, LeaveReason } from "../events/leave_reason.ts";
import type { ResolvedOptions } from "../options.ts";
import { watchlistEvents } from "../protocol/outgoing.ts";
import { SignedInUsers } from "./signed_in_users.ts";

/** Sends connections the online status of the users on their watchlists. */
export class Watchlists {
  readonly #grace: LeaveGrace;
  readonly #signedIn: SignedInUsers<Connection>;

  constructor(
    { clock, presenceGraceMs }: Pick<ResolvedOptions, "clock" | "presenceGraceMs">,
  ) {
    this.#grace = new LeaveGrace(presenceGraceMs, clock);
    this.#signedIn = new SignedInUsers(this.#grace, (userId) => this.#send("offline", userId));
  }

  /** A connection signed in: its watchers get its status, and it gets that of those it watches. */
  enter(connection: Connection, user: SignedInUser): void {
    if (this.#signedIn.add(connection, user)) this.#send("online", user.id);
    const { online = [], offline = [] } = Object.groupBy(
      user.watchlist,
      (id) => this.#signedIn.isOnline(id) ? "online" : "offline",
    );
    if (user.watchlist.length > 0) connection.send(watchlistEvents({ online, offline }));
  }

  /** A connection was released, signed in or not. */
  leave(connection: Connection, departure: Departure): void {
    const { user } = connection;
    if (user && this.#signedIn.remove(connection, departure)) this.#send("offline", user.id);
  }

  #send(status: "online" | "offline", userId: string): void {
    const frame = watchlistEvents({ [status]: [userId] });
    for (const watcher of this.#signedIn.watchersOf(userId)) watcher.send(frame);
  }

  /** The connections that are signed in as a user. */
  connectionsOf(userId: string): Connection[] {
    return this.#signedIn.connectionsOf(userId);
  }

  /** Ends the leave grace of a user: without a connection, it goes offline now. */
  endGrace(userId: string, reason: LeaveReason): void {
    this.#grace.end(userId, reason);
  }

  /** The server is about to close its connections: no leave grace ends. */
  hold(): void {
    this.#grace.hold();
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
