import type { AppConfig } from "./app_config.ts";
import type { AppApi } from "./api/app_api.ts";
import { Apps } from "./apps.ts";
import type { CloseOptions } from "./connections/closing.ts";
import { handleMessage } from "./commands/handle_message.ts";
import type { Connection, Owner } from "./connections/connection.ts";
import { Listeners } from "./events/listeners.ts";
import type {
  Audience,
  ServerEventListener,
  SubscriptionListener,
} from "./events/server_events.ts";
import type { PresentMember } from "./channels/members.ts";
import { type RealtimeOptions, type Settings, settingsOf } from "./options.ts";
import type { Presence } from "./channels/presence_counts.ts";
import type { PresenceListener } from "./channels/presence_listeners.ts";
import { App, type AppStats } from "./app.ts";
import { RealtimeAppApi } from "./api/realtime_app_channels.ts";
import { type RefusalCounts, Refusals } from "./connections/refusals.ts";
import { Sockets } from "./connections/sockets.ts";

export type { AppConfig } from "./app_config.ts";
export type { CloseOptions } from "./connections/closing.ts";
export type { Owner } from "./connections/connection.ts";
export type {
  ServerEvent,
  ServerEventListener,
  SubscriptionListener,
} from "./events/server_events.ts";
export type { LeaveReason } from "./events/leave_reason.ts";
export type { PresentMember } from "./channels/members.ts";
export type { LogEntry, RealtimeOptions } from "./options.ts";
export type { Presence, PresenceCounts } from "./channels/presence_counts.ts";
export type { PresenceListener } from "./channels/presence_listeners.ts";
export type { LimitName, RefusalCounts } from "./connections/refusals.ts";
export type { App, AppStats } from "./app.ts";
export type { Traffic } from "./connections/traffic.ts";

/** The size of everything that is kept beside the apps. */
export type SocketStats = ReturnType<Sockets["stats"]>;

/** The size of everything that is kept, over all apps. */
export interface Stats extends AppStats, SocketStats {
  /** How often each limit was passed since the start. */
  refusals: RefusalCounts;
}

/**
 * A server of the Pusher protocol, version 7. It listens nowhere: hand it requests. What an app's own
 * server may do is asked of {@link RealtimeServer.app}; the methods here that name no app are those
 * of the first one.
 */
export class RealtimeServer {
  readonly #settings: Settings;
  readonly #apps: Apps;
  readonly #sockets: Sockets;
  readonly #refusals: Refusals;
  readonly #audience: Audience;

  /** @throws when there is no app, or two share an id or a key. */
  constructor(options: RealtimeOptions) {
    const settings = this.#settings = settingsOf(options);
    this.#refusals = new Refusals((limit, socketId) =>
      settings.log({ level: "warn", message: "A limit was passed", limit, socketId })
    );
    const failed = (error: unknown) =>
      settings.log({ level: "error", message: "An occurrence listener failed", error });
    const audience = this.#audience = {
      serverEvents: new Listeners(failed),
      subscriptions: new Listeners(failed),
    };
    this.#apps = new Apps((app) => new App(app, settings, audience));
    this.#apps.replace(settings.apps);
    this.#sockets = new Sockets(settings, {
      appOf: (key) => this.#apps.ofKey(key),
      received: (connection, data) => this.#received(connection, data),
      passed: (limit, connection) => this.#refusals.count(limit, connection),
    });
  }

  /**
   * Answers a request for `[/PREFIX]/app/KEY`. An upgrade is never refused for what only the protocol
   * knows: the socket opens, gets an error and is closed with its code.
   *
   * @param address the remote address, for the limit of connections that one may have.
   * @returns 101; 400 when it is no WebSocket upgrade; 503 when there are twice as many sockets as
   * connections may be, those that wait for their peers to close included.
   */
  upgrade(request: Request, address?: string): Response {
    return this.#sockets.upgrade(request, address);
  }

  #received(connection: Connection, data: unknown): void {
    const { app } = connection;
    const [limits, refusals] = [this.#settings, this.#refusals];
    if (!app) return;
    const now = connection.heardAt = limits.clock.now();
    app.received();
    handleMessage({ app, connection, limits, refusals, now }, data);
  }

  /** Whether {@link RealtimeServer.drain} has begun. */
  get isDraining(): boolean {
    return this.#sockets.isDraining;
  }

  /** The apps that are served, at least one, in the order in which they were given. */
  get apps(): readonly App[] {
    return this.#apps.all;
  }

  /** The app of an id, if it is served. */
  app(id: string): App | undefined {
    return this.#apps.ofId(id);
  }

  /**
   * Serves these apps and no others from now on. An app with the id and the key of one before goes
   * on, with its connections, under its new secret and rules; the connections of one that is gone
   * get 4001, of one that is not enabled any more 4003.
   *
   * @throws when there is none, or two share an id or a key; then nothing changed.
   */
  replaceApps(apps: readonly AppConfig[]): void {
    this.#apps.replace(apps);
  }

  /** The channels of the app of this id, as the HTTP API and a server's own code use them. */
  appApi(appId: string): AppApi | undefined {
    const app = this.app(appId);
    return app && new RealtimeAppApi(app, {
      now: this.#settings.clock.now,
      passed: (limit) => this.#refusals.count(limit),
    });
  }

  /** Calls back at everything that happens in any app; the answer stops it. */
  onServerEvent(listener: ServerEventListener): () => void {
    return this.#audience.serverEvents.listen(listener);
  }

  /** Calls back when a connection has joined a channel of any app; the answer stops it. */
  onSubscription(listener: SubscriptionListener): () => void {
    return this.#audience.subscriptions.listen(listener);
  }

  get #first(): App {
    return this.apps[0];
  }

  /** See {@link App.publish}. */
  publish(channel: string, event: string, data: unknown, except?: string): void {
    this.#first.publish(channel, event, data, except);
  }

  /** See {@link App.presence}. */
  presence(channel: string): Presence {
    return this.#first.presence(channel);
  }

  /** Whether anybody here is in a channel. */
  isOccupied(channel: string): boolean {
    return this.#first.hub.channels.has(channel);
  }

  /** See {@link App.members}. */
  members(channel: string): PresentMember[] {
    return this.#first.members(channel);
  }

  /** See {@link App.onPresence}. */
  onPresence(channel: string, listener: PresenceListener): () => void {
    return this.#first.onPresence(channel, listener);
  }

  /** See {@link App.attribute}. */
  attribute(socketId: string, holder: Owner): boolean {
    return this.#first.attribute(socketId, holder);
  }

  /** See {@link App.closeUser}. */
  closeUser(userId: string, options?: CloseOptions): number {
    return this.#first.closeUser(userId, options);
  }

  /** See {@link App.closeSession}. */
  closeSession(sessionId: string, options?: CloseOptions): number {
    return this.#first.closeSession(sessionId, options);
  }

  /** See {@link App.sessionIds}. */
  sessionIds(): Set<string> {
    return this.#first.sessionIds();
  }

  /**
   * Stops: new sockets are told to come back in a second, which leads them to another server or to
   * this one's successor, and the open ones are closed one by one over so many milliseconds. Nobody is
   * told that others leave meanwhile. Resolves when every connection is released, and its peer has
   * closed or had half a second for it.
   */
  async drain(ms: number = this.#settings.drainMs): Promise<void> {
    for (const app of this.apps) app.hold();
    await this.#sockets.drain(ms);
    for (const app of this.apps) app.stop();
  }

  /** How often each limit was passed since the start. */
  refusals(): RefusalCounts {
    return this.#refusals.counts();
  }

  /** How much is kept of all apps' sockets. */
  socketStats(): SocketStats {
    return this.#sockets.stats();
  }

  /** How much is kept; a leak shows here. */
  stats(): Stats {
    const total = this.apps.map((app) => app.stats()).reduce(sum);
    return { ...total, ...this.socketStats(), refusals: this.refusals() };
  }
}

function sum(one: AppStats, other: AppStats): AppStats {
  const names = Object.keys(one) as (keyof AppStats)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as AppStats;
}
