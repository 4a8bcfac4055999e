import type { Refusal } from "./connections/admission.ts";
import { type AppConfig, type AppSettings, appSettings } from "./app_config.ts";
import { type Channel, PresenceChannel } from "./channels/channel.ts";
import type { CachedEvent } from "./api/app_api.ts";
import { Watchlists } from "./connections/watchlist.ts";
import { channelStats } from "./channels/channel_stats.ts";
import {
  belongsTo,
  type CloseOptions,
  closeUnauthorized,
  leaveReason,
} from "./connections/closing.ts";
import type { Connection, Ending, Owner, SignedInUser } from "./connections/connection.ts";
import { Deadlines } from "./timing/deadlines.ts";
import { EventCache } from "./channels/event_cache.ts";
import type { Frame } from "./protocol/frame.ts";
import { type Departure, Hub } from "./channels/hub.ts";
import type { LeaveReason } from "./events/leave_reason.ts";
import { LocalBroker } from "./brokers/local_broker.ts";
import { membersOf, type PresentMember } from "./channels/members.ts";
import type { Audience, ServerEvent } from "./events/server_events.ts";
import type { Settings } from "./options.ts";
import { PerSecond } from "./connections/per_second.ts";
import { SubscriptionCounts } from "./channels/subscription_counts.ts";
import { cacheMiss, published, publishedData } from "./protocol/outgoing.ts";
import { countsOf, type Presence, presenceOf } from "./channels/presence_counts.ts";
import { type PresenceListener, PresenceListeners } from "./channels/presence_listeners.ts";
import { closeCodes, isCacheChannel, serverToUserChannel } from "./protocol/protocol.ts";
import { type Traffic, TrafficCounter } from "./connections/traffic.ts";

/** An app at work: its channels, its connections, and what its own server may ask of them. */
export class App {
  readonly hub: Hub;
  readonly connections = new Map<string, Connection>();
  /** Calls of the HTTP API. */
  readonly calls = new PerSecond();
  readonly #attendance: Watchlists;
  readonly #cache: EventCache;
  readonly #counts: SubscriptionCounts<Channel<Connection>>;
  readonly #listeners: PresenceListeners;
  readonly #audience: Audience;
  readonly #departures: Deadlines<Departure>;
  readonly #settings: Settings;
  readonly #unauthorized: Deadlines<Connection>;
  readonly #traffic = new TrafficCounter();
  readonly #broker = new LocalBroker();
  #rules: AppSettings;
  #removed = false;
  #held = false;

  constructor(app: AppConfig, settings: Settings, audience: Audience) {
    const { clock, log, presenceGraceMs } = settings;
    this.#rules = appSettings(app);
    this.#audience = audience;
    this.#settings = settings;
    this.#listeners = new PresenceListeners((error) =>
      log({ level: "error", message: "A presence listener failed", error })
    );
    this.#attendance = new Watchlists(settings);
    this.#cache = new EventCache(clock);
    this.#counts = new SubscriptionCounts((channel) => this.#tellCount(channel), clock);
    this.#departures = new Deadlines(presenceGraceMs, (gone) => this.hub.expire(gone), clock);
    this.#unauthorized = new Deadlines(this.#rules.joinTimeoutMs, closeUnauthorized, clock);
    this.hub = new Hub(this.#broker, {
      graceMs: presenceGraceMs,
      clock,
      wake: (departure) => this.#departures.add(departure),
      changed: (channel) => this.#listeners.tell(channel.name, () => countsOf(channel)),
      joined: (connection, channel) => this.#joined(connection, channel),
      parted: (channel) => this.#counted(channel),
      occurred: (occurrence) => this.occurred(occurrence),
    });
  }

  /** What holds now: credentials and rules. */
  get rules(): AppSettings {
    return this.#rules;
  }

  /** From now on other rules hold. Connections stay, unless the app is not enabled any more. */
  replace(app: AppConfig): void {
    this.#rules = appSettings(app);
    this.#unauthorized.afterMs = this.#rules.joinTimeoutMs;
    if (!this.#rules.enabled) this.#refuseAll();
  }

  /** The app is gone: its connections are closed with 4001, and nothing of it is kept. */
  remove(): void {
    this.#removed = true;
    this.#refuseAll();
    this.stop();
  }

  #refuseAll(): void {
    const refusal = this.refusal();
    if (!refusal) return;
    for (const connection of this.connections.values()) {
      this.#close(connection, refusal.code, refusal.message, "refused");
    }
  }

  #close(connection: Connection, code: number, reason: string, cause: LeaveReason): void {
    this.hub.release(connection, { grace: false, reason: cause });
    this.#attendance.leave(connection, { grace: false });
    connection.fail(code, reason);
  }

  /** Why nobody may connect now, if so. */
  refusal(): Refusal | undefined {
    if (this.#removed) return { code: closeCodes.noSuchApp, message: "The app does not exist" };
    const { enabled, maxConnections } = this.#rules;
    if (!enabled) return { code: closeCodes.appDisabled, message: "The app is disabled" };
    if (maxConnections === 0 || this.connections.size < maxConnections) return undefined;
    const message = `The app may have ${maxConnections} connections`;
    return { code: closeCodes.overQuota, message, limit: "connectionsOfApp" };
  }

  /** A connection is open. */
  opened(connection: Connection): void {
    this.connections.set(connection.id, connection);
    if (this.#rules.joinTimeoutMs > 0) this.#unauthorized.add(connection);
  }

  /** The connection joined what needs authorization, or signed in: it has no deadline any more. */
  authorized(connection: Connection): void {
    this.#unauthorized.delete(connection);
  }

  /** The connection signed in; it did not before. */
  signedIn(connection: Connection, user: SignedInUser): void {
    connection.user = user;
    this.authorized(connection);
    this.#attendance.enter(connection, user);
  }

  #joined(connection: Connection, channel: Channel<Connection>): void {
    const { name } = channel;
    if (isCacheChannel(name)) connection.send(this.#cache.get(name) ?? this.#missed(name));
    this.#counted(channel);
    this.#audience.subscriptions.tell(name, this.#rules);
  }

  #missed(channel: string): Frame {
    this.occurred({ name: "cache_miss", channel });
    return cacheMiss(channel);
  }

  #tellCount(channel: Channel<Connection>): void {
    this.hub.tellCount(channel);
    const { name, subscribers } = channel;
    this.occurred({ name: "subscription_count", channel: name, count: subscribers.size });
  }

  /** Tells whoever listens what happened in the app, unless the app is gone. */
  occurred(occurrence: ServerEvent): void {
    if (!this.#removed) this.#audience.serverEvents.tell(occurrence, this.#rules);
  }

  #counted(channel: Channel<Connection>): void {
    if (!this.#rules.subscriptionCount || this.#held) return;
    if (!(channel instanceof PresenceChannel)) this.#counts.changed(channel);
  }

  /** A connection ended. A peer that was silent for the whole idle time had its grace. */
  released(connection: Connection, ending: Ending): void {
    if (!this.connections.delete(connection.id)) return;
    this.#traffic.released(connection);
    this.#unauthorized.delete(connection);
    const grace = ending !== "timed out";
    const reason = this.#held ? "server_restart" : leaveReason(ending);
    this.hub.release(connection, { grace, reason });
    this.#attendance.leave(connection, { grace });
  }

  /**
   * Sends an event to a channel's subscribers, but not to the socket of the id `except`. A cache
   * channel keeps it for those who come within 30 minutes.
   */
  publish(channel: string, event: string, data: unknown, except?: string): void {
    const frame = published(channel, event, data);
    if (isCacheChannel(channel)) this.#cache.put(channel, frame, this.#rules.maxCacheBytes);
    this.hub.publish(channel, frame, except);
  }

  /** What a cache channel keeps, if anything. */
  cached(channel: string): CachedEvent | undefined {
    const frame = this.#cache.get(channel);
    const ttl = Math.ceil(this.#cache.keptFor(channel) / 1_000);
    return frame && { data: publishedData(frame), ttl };
  }

  /** Sends an event to every connection that signed in as the user, on every node. */
  sendToUser(userId: string, event: string, data: unknown): void {
    this.publish(serverToUserChannel(userId), event, data);
  }

  /**
   * Closes the connections that signed in as the user, with 4009. The user leaves at once.
   *
   * @returns how many were closed.
   */
  terminateUser(userId: string): number {
    const theirs = this.#attendance.of(userId);
    for (const connection of theirs) {
      this.#close(connection, closeCodes.notAuthorized, "Terminated", "removed");
    }
    return theirs.length;
  }

  /** Who is in a presence channel now, as its subscribers see it; nobody in any other channel. */
  presence(channel: string): Presence {
    return presenceOf(this.hub.presence(channel));
  }

  /** The members of a presence channel with their connections on this node; nobody elsewhere. */
  members(channel: string): PresentMember[] {
    const present = this.hub.presence(channel);
    return present ? membersOf(present, this.#settings) : [];
  }

  /** Calls back after every change of a presence channel's counts; the answer stops it. */
  onPresence(channel: string, listener: PresenceListener): () => void {
    return this.#listeners.add(channel, listener);
  }

  /**
   * Notes whose connection it is, when something is signed for it. What was signed can be used until
   * the connection closes, so {@link closeUser} and {@link closeSession} close it even if it joined
   * nothing yet. A connection that is not here is not noted: nothing signed for it is of use here.
   *
   * @returns false when it is another user's, and nothing should be signed.
   */
  attribute(socketId: string, holder: Owner): boolean {
    const connection = this.connections.get(socketId);
    if (!connection) return true;
    if (connection.holder && connection.holder.userId !== holder.userId) return false;
    connection.holder = holder;
    return true;
  }

  /**
   * Closes every connection of a user: those attributed to it, signed in as it, or in a presence
   * channel as it. The user leaves at once, with no grace.
   *
   * @returns how many were closed.
   */
  closeUser(userId: string, options?: CloseOptions): number {
    return this.#closeAll((connection) => belongsTo(userId, connection), options);
  }

  /** Closes every connection attributed to a session, as {@link closeUser} does. */
  closeSession(sessionId: string, options?: CloseOptions): number {
    return this.#closeAll(({ holder }) => holder?.sessionId === sessionId, options);
  }

  /** The sessions that open connections are attributed to. */
  sessionIds(): Set<string> {
    const ids = this.connections.values().map(({ holder }) => holder?.sessionId);
    return new Set(ids.filter((id) => id !== undefined));
  }

  #closeAll(isMeant: (connection: Connection) => boolean, options: CloseOptions = {}): number {
    const { code = closeCodes.notAuthorized, reason = "Closed", cause = "removed" } = options;
    const connections = this.connections.values().filter(isMeant).toArray();
    for (const connection of connections) this.#close(connection, code, reason, cause);
    return connections.length;
  }

  /** From now on nobody is told that others leave: everybody does. */
  hold(): void {
    this.#held = true;
    this.#departures.hold();
    this.#attendance.hold();
  }

  /** Forgets every channel and every deadline. */
  stop(): void {
    this.#departures.stop();
    this.#attendance.stop();
    this.#cache.clear();
    this.#counts.stop();
    this.#unauthorized.stop();
    this.hub.close();
  }

  /** A client sent a frame. */
  received(): void {
    this.#traffic.received++;
  }

  /** What clients sent and were sent since the start. */
  traffic(): Traffic {
    return this.#traffic.total(this.connections.values());
  }

  /** How much is kept. */
  stats() {
    return {
      /** Open connections. */
      connections: this.connections.size,
      ...channelStats(this.hub.channels.values()),
      ...this.#broker.stats(),
      /** Users in their leave grace, those who came back meanwhile included. */
      leaving: this.#departures.size,
      /** Connections that have to authorize in time. */
      unauthorized: this.#unauthorized.size,
      ...this.#attendance.stats(),
      /** Events that cache channels keep, and their bytes. */
      cachedEvents: this.#cache.size,
      cachedBytes: this.#cache.bytes,
      /** Channels so large that their count is told in intervals. */
      countedInIntervals: this.#counts.size,
      /** Channels whose counts somebody listens to. */
      listenedTo: this.#listeners.size,
    };
  }
}

/** The size of everything that an app keeps. */
export type AppStats = ReturnType<App["stats"]>;
