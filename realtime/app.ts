import { type AppConfig, type AppSettings, appSettings } from "./app_config.ts";
import type { Broker, BrokerOptions, ChannelQuestions, RoomLimit } from "./brokers/broker.ts";
import { LocalBroker } from "./brokers/local_broker.ts";
import { Hub } from "./channels/hub.ts";
import { membersOf, openPagesOf, type PresentMember, usersOf } from "./channels/members.ts";
import {
  countsOf,
  type Presence,
  type PresenceChange,
  type PresenceCounts,
  type PresenceListener,
  presenceOf,
} from "./channels/presence_counts.ts";
import { belongsTo, closeOf, type CloseOptions } from "./connections/closing.ts";
import type { Connection, OpenPage, Owner, SignedInUser } from "./connections/connection.ts";
import { ReportedPages } from "./channels/reported_pages.ts";
import { AddressBudget } from "./timing/address_budget.ts";
import { RateLimiter } from "./connections/rate_limiter.ts";
import { ConnectionLimit } from "./connections/connection_limit.ts";
import type { LimitName } from "./connections/refusals.ts";
import { type Traffic, TrafficCounter } from "./connections/traffic.ts";
import { ChannelListeners } from "./events/channel_listeners.ts";
import { type Departure, departures, type LeaveReason } from "./events/leave_reason.ts";
import type { PublishedEvent, PublishedListener, Publisher } from "./events/published_events.ts";
import { type Rejection, rejectionOf, type RejectionReason } from "./events/rejections.ts";
import type { ServerEvent, ServerListeners } from "./events/server_events.ts";
import type { ResolvedOptions } from "./options.ts";
import { noOtherServers, type OtherServers } from "./other_servers.ts";
import { serverToUserChannel } from "./protocol/channel_names.ts";
import { type Close, closes } from "./protocol/close_codes.ts";
import { dataText, published } from "./protocol/outgoing.ts";
import { Deadlines } from "./timing/deadlines.ts";
import { Watchlists } from "./users/watchlists.ts";

/** Why a socket is closed as soon as it is open. */
export interface Refusal {
  readonly close: Close;
  /** For the app's developer, with the app if there is one. */
  readonly rejected?: { readonly reason: RejectionReason; readonly app?: App };
  /** The limit that it exceeded, if one. */
  readonly limit?: LimitName;
}

/** An app that is served: its settings, channels, connections and users. */
export class App {
  readonly hub: Hub;
  /** Open connections by socket id. */
  readonly connections = new Map<string, Connection>();
  /** Calls of the HTTP API. */
  readonly apiCalls = new RateLimiter();
  /** Joins of presence channels by clients that left one before. */
  readonly rejoins: AddressBudget;
  /** The pages that clients report. */
  readonly pages: ReportedPages;
  readonly #broker: Broker;
  /** Refuses a subscription whose channel turned out to be full. */
  onFull: (connection: Connection, channel: string, limit: RoomLimit) => void = () => {};
  readonly #watchlists: Watchlists;
  readonly #presenceListeners: ChannelListeners<PresenceChange>;
  readonly #publishedListeners: ChannelListeners<PublishedEvent>;
  readonly #pageListeners: ChannelListeners<void>;
  readonly #listeners: ServerListeners;
  readonly #options: ResolvedOptions;
  /** Connections that have to authorize in time. */
  readonly #unauthorized: Deadlines<Connection>;
  readonly #traffic = new TrafficCounter();
  /** Over all servers, if there are others. */
  readonly #connectionLimit: ConnectionLimit | undefined;
  #settings: AppSettings;
  #isRemoved = false;
  #isHeld = false;

  /** @param others the servers beside this one; by default there are none. */
  constructor(
    config: AppConfig,
    options: ResolvedOptions,
    listeners: ServerListeners,
    others: Pick<OtherServers, "connections"> = noOtherServers,
  ) {
    const { clock, isGuest, log, presenceGraceMs } = options;
    this.#settings = appSettings(config);
    this.#options = options;
    this.rejoins = new AddressBudget(options.rejoinBudget);
    this.#listeners = listeners;
    const failed = (error: unknown) =>
      log({ level: "error", message: "A listener of a channel failed", error });
    this.#presenceListeners = new ChannelListeners(failed);
    this.#publishedListeners = new ChannelListeners(failed);
    this.#pageListeners = new ChannelListeners(failed);
    this.pages = new ReportedPages(
      (channel) => this.#pageListeners.emit(channel, () => {}),
      clock,
    );
    const makeBroker = options.broker ?? ((own: BrokerOptions) => new LocalBroker(own));
    this.#broker = makeBroker({
      appId: config.id,
      clock,
      emit: (event) => this.emit(event),
      maxCacheBytes: () => this.#settings.maxCacheBytes,
    });
    if (this.#broker.isShared) this.#connectionLimit = this.#limitOverAll(others);
    this.#watchlists = new Watchlists(this.#broker, options);
    this.#unauthorized = new Deadlines(
      this.#settings.joinTimeoutMs,
      (connection) => connection.fail(closes.joinTimeout),
      clock,
    );
    this.hub = new Hub(this.#broker, {
      clock,
      presenceGraceMs,
      isGuest,
      limits: options,
      settings: () => this.#settings,
      changed: (channel, userId) =>
        this.#presenceListeners.emit(channel.name, () => ({ ...countsOf(channel), userId })),
      joined: (channel) => this.#listeners.subscriptions.emit(channel, this.#settings),
      refused: (connection, channel, limit) => this.onFull(connection, channel, limit),
      emit: (event) => this.emit(event),
    });
  }

  #limitOverAll(others: Pick<OtherServers, "connections">): ConnectionLimit {
    const max = () => this.#settings.maxConnections;
    return new ConnectionLimit({
      max,
      count: () => this.connections.size,
      state: (count) => this.#broker.connections(count),
      elsewhere: async () => {
        const { answers } = await others.connections(this.#settings.id);
        return answers.reduce((sum, count) => sum + count, 0);
      },
      refuse: (connection) => connection.failOver("connectionsOfApp", closes.appFull(max())),
    });
  }

  /** The credentials and rules that apply now. */
  get settings(): AppSettings {
    return this.#settings;
  }

  /** Applies another configuration. Connections stay, unless the app is disabled: they get 4003. */
  configure(config: AppConfig): void {
    this.#settings = appSettings(config);
    this.#unauthorized.afterMs = this.#settings.joinTimeoutMs;
    if (!this.#settings.enabled) this.#closeAll(this.connections.values(), closes.appDisabled);
    this.#connectionLimit?.changed();
  }

  /** The app is not served any more: closes its connections with 4001 and drops all that it keeps. */
  remove(): void {
    this.#isRemoved = true;
    this.#closeAll(this.connections.values(), closes.appRemoved);
    this.stop();
  }

  /** Why no connection may open now, if so. */
  refusal(): Refusal | undefined {
    if (this.#isRemoved) return { close: closes.appRemoved };
    const { enabled, maxConnections } = this.#settings;
    if (!enabled) return { close: closes.appDisabled };
    if (maxConnections === 0 || this.connections.size < maxConnections) return undefined;
    return { close: closes.appFull(maxConnections), limit: "connectionsOfApp" };
  }

  /** A connection opened. */
  opened(connection: Connection): void {
    this.connections.set(connection.id, connection);
    this.#connectionLimit?.opened(connection);
    if (this.#settings.joinTimeoutMs > 0) this.#unauthorized.add(connection);
  }

  /** A client sent a frame. */
  received(): void {
    this.#traffic.received++;
  }

  /** A connection joined a private or presence channel, or signed in: its join timeout ends. */
  authorized(connection: Connection): void {
    this.#unauthorized.delete(connection);
  }

  /** A connection signed in for the first time. */
  signedIn(connection: Connection, user: SignedInUser): void {
    connection.user = user;
    this.authorized(connection);
    this.#watchlists.enter(connection, user);
  }

  /** A connection was released: it leaves its channels, and its user may go offline. */
  released(connection: Connection, departure: Departure): void {
    if (!this.connections.delete(connection.id)) return;
    this.#connectionLimit?.changed();
    this.#traffic.released(connection);
    this.pages.released(connection);
    this.#unauthorized.delete(connection);
    const isRestart = this.#isHeld && !departure.isRequested;
    const actual = isRestart ? departures.serverStopped : departure;
    this.hub.release(connection, actual);
    this.#watchlists.leave(connection, actual);
  }

  /** Reports a frame that was refused and that the app's developer can mend. */
  reject(rejection: Rejection): void {
    this.#listeners.rejections.emit(rejectionOf(rejection), this.#settings);
  }

  /** Passes an event to the server's listeners, unless the app is removed. */
  emit(event: ServerEvent): void {
    if (!this.#isRemoved) this.#listeners.serverEvents.emit(event, this.#settings);
  }

  /**
   * Sends an event to a channel's subscribers. A cache channel keeps it for 30 minutes.
   *
   * @param data sent as it is if it is a string, else as its JSON text.
   * @param except the socket id of a subscriber that does not get it.
   * @returns whether it was sent; later, where there are other nodes.
   */
  publish(
    channel: string,
    event: string,
    data: unknown,
    except?: string,
    from: Publisher = "server",
  ): true | Promise<boolean> {
    this.#publishedListeners.emit(channel, () => ({ name: event, data: dataText(data), from }));
    return this.hub.publish(channel, published(channel, event, data), except);
  }

  /** Keeps the members of a channel known here, whether it has subscribers here or not. */
  follow(channel: string): void {
    // A single server has all members itself.
    if (this.#broker.isShared) this.hub.follow(channel);
  }

  /**
   * Sends an event to a channel's subscribers on this node only, those included that wait to be subscribed; no
   * channel keeps it.
   */
  publishHere(channel: string, event: string, data: unknown): void {
    this.#publishedListeners.emit(channel, () => (
      { name: event, data: dataText(data), from: "server" }
    ));
    this.hub.channels.get(channel)?.sendHere(published(channel, event, data));
  }

  /** Sends an event to every connection that signed in as the user, on every node. */
  sendToUser(userId: string, event: string, data: unknown): void {
    this.publish(serverToUserChannel(userId), event, data);
  }

  /** What can be asked of the channels over all nodes. */
  get questions(): ChannelQuestions {
    return this.#broker;
  }

  /** Whether a channel has a connection other than observers, or a user in its leave grace. */
  isOccupied(channel: string): boolean {
    return this.hub.channels.get(channel)?.isOccupied ?? false;
  }

  /** The members of a presence channel over all nodes; none for any other channel. */
  presence(channel: string): Presence {
    return presenceOf(this.hub.presence(channel));
  }

  /** The size of a presence channel over all nodes; 0 for any other channel. */
  presenceCounts(channel: string): PresenceCounts {
    return countsOf(this.hub.presence(channel));
  }

  /** How many members of a presence channel have a connection to this node, or may return to it. */
  usersHere(channel: string): number {
    return this.hub.presence(channel)?.tracker.size ?? 0;
  }

  /** Whether a user is a member of a presence channel, over all nodes. */
  isMember(channel: string, userId: string): boolean {
    return this.hub.presence(channel)?.members.has(userId) ?? false;
  }

  /**
   * The members of a presence channel with their connections on this node.
   *
   * @param userIds of these users only.
   */
  members(channel: string, userIds?: ReadonlySet<string>): PresentMember[] {
    const presence = this.hub.presence(channel);
    return presence ? membersOf(presence, this.#options, userIds) : [];
  }

  /** The pages that the clients of each member reported, on this node; only of members with any. */
  openPages(channel: string): Iterable<readonly OpenPage[]> {
    const presence = this.hub.presence(channel);
    return presence ? openPagesOf(presence) : [];
  }

  /**
   * The same as {@link members} without what takes a look at every connection: no pages, and whoever is connected was
   * seen now.
   */
  users(channel: string, userIds?: ReadonlySet<string>): PresentMember[] {
    const presence = this.hub.presence(channel);
    return presence ? usersOf(presence, this.#options.clock, userIds) : [];
  }

  /** Calls back after every change of a presence channel's counts. @returns unsubscribe */
  onPresence(channel: string, listener: PresenceListener): () => void {
    return this.#presenceListeners.add(channel, listener);
  }

  /** Calls back after the page of a member of a presence channel changed. @returns unsubscribe */
  onPages(channel: string, listener: () => void): () => void {
    return this.#pageListeners.add(channel, listener);
  }

  /** Calls back with every event that is published to a channel. @returns unsubscribe */
  onPublished(channel: string, listener: PublishedListener): () => void {
    return this.#publishedListeners.add(channel, listener);
  }

  /**
   * Makes a user the owner of a connection. Call it before signing anything for the socket: what was
   * signed can be used until the connection closes, so {@link closeUser} and {@link closeSession} have
   * to find the connection even if it has joined nothing yet. A socket id that is not connected here
   * is ignored: what is signed for it is of no use here.
   *
   * @returns false when the connection has another owner; then sign nothing.
   */
  claimSocket(socketId: string, owner: Owner): boolean {
    const connection = this.connections.get(socketId);
    if (!connection) return true;
    if (connection.owner && connection.owner.userId !== owner.userId) return false;
    connection.owner = owner;
    return true;
  }

  /** The sessions of the owners of open connections. */
  sessionIds(): Set<string> {
    const ids = this.connections.values().map(({ owner }) => owner?.sessionId);
    return new Set(ids.filter((id) => id !== undefined));
  }

  /**
   * Closes every connection of a user: those that it owns, is signed in on, or is in a
   * channel through, as a member or an observer.
   * The user leaves at once, without the leave grace, and a leave grace of it that runs ends.
   *
   * @returns the number of connections closed.
   */
  closeUser(userId: string, options: CloseOptions = {}): number {
    const theirs = this.connections.values().filter((connection) => belongsTo(userId, connection));
    const reason = options.cause ?? "removed";
    const closed = this.#closeAll(theirs, closeOf(options), requested(reason));
    this.hub.endGrace(userId, reason);
    this.#watchlists.endGrace(userId, reason);
    return closed;
  }

  /**
   * Closes every connection whose owner has this session, as {@link closeUser} does. A leave grace of
   * the user goes on, because it may be another session's.
   */
  closeSession(sessionId: string, options: CloseOptions = {}): number {
    const theirs = this.connections.values().filter(({ owner }) => owner?.sessionId === sessionId);
    return this.#closeAll(theirs, closeOf(options), requested(options.cause ?? "removed"));
  }

  /**
   * Has the clients of a user's connections connect again at once, and so be signed again. Others notice
   * nothing of it where there is a leave grace.
   *
   * @returns the number of connections closed.
   */
  reconnectUser(userId: string): number {
    const theirs = this.connections.values().filter((connection) => belongsTo(userId, connection));
    return this.#closeAll(theirs, closes.signAgain, departures.closed);
  }

  /**
   * Has those of Rollcall's own pages that are in a presence channel connect again at once, as
   * {@link reconnectUser} does.
   *
   * @param which those that are quiet, or those that are loud; and only those that are in another channel.
   */
  reconnectPages(
    channel: string,
    { isQuiet, alsoIn }: { isQuiet: boolean; alsoIn?: string },
  ): void {
    const presence = this.hub.presence(channel);
    if (!presence) return;
    const pages = Array.from(isQuiet ? presence.quiet : presence.subscribers)
      .filter(({ owner }) => owner !== undefined)
      .filter(({ subscriptions }) => alsoIn === undefined || subscriptions.has(alsoIn));
    this.#closeAll(pages, closes.signAgain, departures.closed);
  }

  /**
   * Closes the connections that signed in as the user, with 4009 and without the leave grace.
   *
   * @returns the number of connections closed.
   */
  terminateUser(userId: string): number {
    const theirs = this.#watchlists.connectionsOf(userId);
    const closed = this.#closeAll(theirs, closes.terminated, requested("removed"));
    this.#watchlists.endGrace(userId, "removed");
    return closed;
  }

  #closeAll(
    connections: Iterable<Connection>,
    close: Close,
    departure = requested("refused"),
  ): number {
    const all = [...connections];
    for (const connection of all) connection.fail(close, departure);
    return all.length;
  }

  /** The server is about to close its connections: from now on no departure is announced. */
  hold(): void {
    this.#isHeld = true;
    this.hub.hold();
    this.#watchlists.hold();
  }

  /** Closes every channel and cancels every timer. */
  stop(): void {
    this.#watchlists.stop();
    this.#unauthorized.stop();
    this.pages.stop();
    this.hub.close();
  }

  /** The traffic of clients since the start. */
  traffic(): Traffic {
    return this.#traffic.total(this.connections.values());
  }

  /** The number of entries in memory, by what they are; a leak shows here. */
  stats() {
    return {
      /** Open connections. */
      connections: this.connections.size,
      ...this.hub.stats(),
      ...this.#broker.stats(),
      /** Connections that have to authorize in time. */
      unauthorized: this.#unauthorized.size,
      ...this.#watchlists.stats(),
      /** Connections whose page changed within a second. */
      pages: this.pages.size,
      /** Channels with listeners. */
      listenedTo: this.#presenceListeners.size + this.#publishedListeners.size +
        this.#pageListeners.size,
    };
  }
}

/** See {@link App.stats}. */
export type AppStats = ReturnType<App["stats"]>;

/** How connections leave that this server's own code closes. */
function requested(reason: LeaveReason): Departure {
  return { reason, grace: false, isRequested: true };
}
