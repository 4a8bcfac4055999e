import type { Connection, SignedInUser } from "./connection.ts";
import { Deadlines } from "../timing/deadlines.ts";
import type { Settings } from "../options.ts";
import { watchlistEvents } from "../protocol/outgoing.ts";
import { SignedInUsers } from "./signed_in_users.ts";

/** Tells connections which of the users whom they watch come online and go. */
export class Watchlists {
  readonly #signedIn = new SignedInUsers<Connection>();
  readonly #departures: Deadlines<string>;
  readonly #graceMs: number;
  readonly #now: () => number;

  constructor({ clock, presenceGraceMs }: Pick<Settings, "clock" | "presenceGraceMs">) {
    this.#graceMs = presenceGraceMs;
    this.#now = clock.now;
    this.#departures = new Deadlines(presenceGraceMs, (userId) => this.#expire(userId), clock);
  }

  /** A connection signed in: its watchers hear of it, and it hears how those it watches are. */
  enter(connection: Connection, user: SignedInUser): void {
    if (this.#signedIn.add(connection, user, this.#now())) this.#tell("online", user.id);
    const { online = [], offline = [] } = Object.groupBy(
      user.watchlist,
      (id) => this.#signedIn.isOnline(id) ? "online" : "offline",
    );
    if (user.watchlist.length > 0) connection.send(watchlistEvents({ online, offline }));
  }

  /** A connection ended, signed in or not. */
  leave(connection: Connection, { grace }: { grace: boolean }): void {
    const graceMs = grace ? this.#graceMs : 0;
    const result = this.#signedIn.remove(connection, this.#now(), graceMs);
    if (!result || !connection.user) return;
    const { id } = connection.user;
    if ("wakeAt" in result) this.#departures.add(id);
    else if (result.connections === 0) this.#tell("offline", id);
  }

  #expire(userId: string): void {
    if (this.#signedIn.expire(userId, this.#now())) this.#tell("offline", userId);
  }

  #tell(name: "online" | "offline", userId: string): void {
    const frame = watchlistEvents({ [name]: [userId] });
    for (const watcher of this.#signedIn.watchersOf(userId)) watcher.send(frame);
  }

  /** The connections that are signed in as a user. */
  of(userId: string): Connection[] {
    return this.#signedIn.of(userId);
  }

  /** From now on nobody is told that a user's grace is over. */
  hold(): void {
    this.#departures.hold();
  }

  /** Forgets whose grace is not over. */
  stop(): void {
    this.#departures.stop();
  }

  stats() {
    return {
      /** Users who are signed in, or in their leave grace. */
      signedInOrLeaving: this.#signedIn.online,
      /** Users who are signed in. */
      signedIn: this.#signedIn.users,
      /** Users whom somebody watches. */
      watched: this.#signedIn.watched,
      /** Signed-in users in their leave grace. */
      signingOut: this.#departures.size,
    };
  }
}
