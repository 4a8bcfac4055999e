import type { Hub } from "./channels/hub.ts";
import { belongsTo, closeOf, type CloseOptions } from "./connections/closing.ts";
import type { Connection, Owner } from "./connections/connection.ts";
import { type Departure, departures, type LeaveReason } from "./events/server_events.ts";
import { type Close, closes } from "./protocol/close_codes.ts";
import type { Watchlists } from "./users/watchlists.ts";
import { type AppAdmissionOptions, ConnectionLimit } from "./connections/connection_limits.ts";
import type { LimitName } from "./connections/limit_counters.ts";
import { Deadlines } from "./timing/clock.ts";

/** The open connections of an app to this server: whose they are, and how this server's own code closes them. */
export class AppConnections {
  readonly #byId = new Map<string, Connection>();
  readonly #hub: Hub;
  readonly #watchlists: Watchlists;

  constructor(
    hub: Hub,
    watchlists: Watchlists,
  ) {
    this.#hub = hub;
    this.#watchlists = watchlists;
  }

  /** The number of open connections. */
  get size(): number {
    return this.#byId.size;
  }

  /** The connection of a socket id, if it is open here. */
  get(socketId: string): Connection | undefined {
    return this.#byId.get(socketId);
  }

  /** The open connections. */
  all(): IteratorObject<Connection> {
    return this.#byId.values();
  }

  /** A connection opened. */
  add(connection: Connection): void {
    this.#byId.set(connection.id, connection);
  }

  /** A connection was released. @returns whether it was open. */
  delete({ id }: Connection): boolean {
    return this.#byId.delete(id);
  }

  /**
   * Makes a user the owner of a connection. Call it before signing anything for the socket: what was
   * signed can be used until the connection closes, so {@link closeUser} and {@link closeSession} have
   * to find the connection even if it has joined nothing yet. A socket id that is not connected here
   * is ignored: what is signed for it is of no use here.
   *
   * @returns false when the connection has another owner; then sign nothing.
   */
  claim(socketId: string, owner: Owner): boolean {
    const connection = this.#byId.get(socketId);
    if (!connection) return true;
    if (connection.owner && connection.owner.userId !== owner.userId) return false;
    connection.owner = owner;
    return true;
  }

  /** The sessions of the owners of open connections. */
  sessionIds(): Set<string> {
    const ids = this.#byId.values().map(({ owner }) => owner?.sessionId);
    return new Set(ids.filter((id) => id !== undefined));
  }

  /**
   * Closes every connection of a user: each that it owns, is signed in on, or is in a
   * channel through, as a member or an observer.
   * The user leaves at once, without the leave grace, and a leave grace of it that runs ends.
   *
   * @returns the number of connections closed.
   */
  closeUser(userId: string, options: CloseOptions = {}): number {
    const theirs = this.#byId.values().filter((connection) => belongsTo(userId, connection));
    const reason = options.cause ?? "removed";
    const closed = this.#close(theirs, closeOf(options), requested(reason));
    this.#hub.endGrace(userId, reason);
    this.#watchlists.endGrace(userId, reason);
    return closed;
  }

  /**
   * Closes every connection whose owner has this session, as {@link closeUser} does. A leave grace of
   * the user goes on, because it may be another session's.
   */
  closeSession(sessionId: string, options: CloseOptions = {}): number {
    const theirs = this.#byId.values().filter(({ owner }) => owner?.sessionId === sessionId);
    return this.#close(theirs, closeOf(options), requested(options.cause ?? "removed"));
  }

  /**
   * Has the clients of a user's connections connect again at once, and so be signed again. Others notice
   * nothing of it where there is a leave grace.
   *
   * @returns the number of connections closed.
   */
  reconnectUser(userId: string): number {
    const theirs = this.#byId.values().filter((connection) => belongsTo(userId, connection));
    return this.#close(theirs, closes.signAgain, departures.closed);
  }

  /**
   * Has Rollcall's own pages that are in a presence channel connect again at once, as
   * {@link reconnectUser} does.
   *
   * @param which the quiet or the full pages; and only pages that are in another channel.
   */
  reconnectPages(
    channel: string,
    { isQuiet, alsoIn }: { isQuiet: boolean; alsoIn?: string },
  ): void {
    const presence = this.#hub.presence(channel);
    if (!presence) return;
    const pages = Array.from(isQuiet ? presence.quiet : presence.subscribers)
      .filter(({ owner }) => owner !== undefined)
      .filter(({ subscriptions }) => alsoIn === undefined || subscriptions.has(alsoIn));
    this.#close(pages, closes.signAgain, departures.closed);
  }

  /** Closes every connection of a user with 4009, as {@link closeUser} does, at the wish of the app's own server. */
  terminateUser(userId: string): number {
    return this.closeUser(userId, closes.terminated);
  }

  /** Closes every connection, without the leave grace. */
  closeAll(close: Close): void {
    this.#close(this.#byId.values(), close, requested("refused"));
  }

  /** @returns the number of connections closed. */
  #close(connections: Iterable<Connection>, close: Close, departure: Departure): number {
    const all = [...connections];
    for (const connection of all) connection.fail(close, departure);
    return all.length;
  }
}

/** How connections leave that this server's own code closes. */
function requested(reason: LeaveReason): Departure {
  return { reason, grace: false, isRequested: true };
}

/** Which connections an app admits, and which of them may stay: not too many, and only connections that authorize in time. */
export class AppAdmission {
  readonly #options: AppAdmissionOptions;
  /** Connections that have to authorize in time. */
  readonly #unauthorized: Deadlines<Connection>;
  /** Over all servers, if there are others. */
  readonly #limit: ConnectionLimit | undefined;

  constructor(options: AppAdmissionOptions) {
    this.#options = options;
    const { broker, clock, settings } = options;
    this.#unauthorized = new Deadlines(
      settings().joinTimeoutMs,
      (connection) => connection.fail(closes.joinTimeout),
      clock,
    );
    if (!broker.isShared) return;
    this.#limit = new ConnectionLimit(options, (connection) => {
      connection.failOver("connectionsOfApp", closes.appFull(settings().maxConnections));
    });
  }

  /** Why no connection may open now, if so. */
  refusal(): { close: Close; limit?: LimitName } | undefined {
    const { enabled, maxConnections } = this.#options.settings();
    if (!enabled) return { close: closes.appDisabled };
    if (maxConnections === 0 || this.#options.count() < maxConnections) return undefined;
    return { close: closes.appFull(maxConnections), limit: "connectionsOfApp" };
  }

  /** The settings are other ones. */
  configured(): void {
    this.#unauthorized.afterMs = this.#options.settings().joinTimeoutMs;
    this.#limit?.changed();
  }

  /** A connection opened: its join timeout begins, if the app has one. */
  opened(connection: Connection): void {
    this.#limit?.opened(connection);
    if (this.#options.settings().joinTimeoutMs > 0) this.#unauthorized.add(connection);
  }

  /** A connection joined a private or presence channel, or signed in: its join timeout ends. */
  authorized(connection: Connection): void {
    this.#unauthorized.delete(connection);
  }

  /** A connection was released. */
  released(connection: Connection): void {
    this.#limit?.released(connection);
    this.#unauthorized.delete(connection);
  }

  /** The number of connections that have to authorize. */
  get unauthorized(): number {
    return this.#unauthorized.size;
  }

  /** Ends every join timeout. */
  stop(): void {
    this.#unauthorized.stop();
  }
}
