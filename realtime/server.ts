/**
 * The real-time server: version 7 of the Pusher protocol, for one or more apps. It knows nothing of
 * Rollcall's pages, accounts and database.
 *
 * It does not listen. The owner passes it requests for sockets (`upgrade`), and requests of the HTTP API to
 * `realtime/api/`, which asks an app by `appApi`. A socket belongs to an app (`realtime/app.ts`), whose hub
 * has its channels; a frame of a client is a command in `realtime/commands/`. What happens is reported to
 * listeners: joins and leaves, subscriptions, and what was refused, with the reason.
 *
 * Other servers are behind two seams, which are empty for a single one: the broker of an app, by which its
 * channels agree with the other servers, and `OtherServers`, for requests to them. So most of the code does
 * not know whether there is one server or several.
 *
 * The promises: whatever a client sends, the answer is one of the protocol, nothing is thrown, and other
 * clients notice nothing; every connection is released once, with one reason; everything that a stranger can
 * make grow has a limit, and `stats()` has its size. A stop closes connections over time, and announces no
 * departure that it caused itself.
 *
 * The trade-off: an app is in memory only, and one process uses one core. Apps can be replaced while the
 * server runs; apps that stay keep their connections.
 *
 * @module
 */
import { App, type AppStats } from "./app.ts";
import type { AppConfig } from "./app_config.ts";
import { AppApi } from "./api/app_api.ts";
import { AppOnAllServers } from "./app_on_all_servers.ts";
import { LimitCounters, type LimitCounts } from "./connections/limit_counters.ts";
import { Listeners } from "./events/listeners.ts";
import type {
  ReportedEvents,
  SeenEvents,
  ServerEventListener,
  ServerListeners,
  SubscriptionListener,
} from "./events/server_events.ts";
import type { RejectionListener } from "./events/rejections.ts";
import { type RealtimeOptions, type ResolvedOptions, resolveOptions } from "./options.ts";
import { noOtherServers, type OtherServers } from "./other_servers.ts";
import { Sockets } from "./sockets.ts";

export type { App, AppStats } from "./app.ts";
export type { AppConfig } from "./app_config.ts";
export type { AppOnAllServers, MembersOnAllServers } from "./app_on_all_servers.ts";
export type { PresentMember } from "./channels/members.ts";
export type { OpenPages } from "./channels/members.ts";
export type {
  Presence,
  PresenceChange,
  PresenceCounts,
  PresenceListener,
} from "./channels/members.ts";
export type { CloseOptions } from "./connections/closing.ts";
export type { OpenPage, Owner } from "./connections/connection.ts";
export type { LimitCounts, LimitName } from "./connections/limit_counters.ts";
export type { Traffic } from "./connections/limit_counters.ts";
export type { Rejection, RejectionReason } from "./events/rejections.ts";
export type { LeaveReason } from "./events/server_events.ts";
export type { PublishedEvent, Publisher } from "./events/server_events.ts";
export type {
  ReportedEvents,
  SeenEvents,
  ServerEvent,
  ServerEventListener,
  SubscriptionListener,
} from "./events/server_events.ts";
export type { LogEntry, RealtimeOptions } from "./options.ts";
export type { Answers, AppCommand, ClaimResult, OtherServers } from "./other_servers.ts";

/** The apps of a server, by key and by id. */
class Apps {
  #byKey = new Map<string, App>();
  #byId = new Map<string, App>();
  #all: readonly App[] = [];
  readonly #start: (app: AppConfig) => App;

  /** @param start starts an app that was not served before. */
  constructor(start: (app: AppConfig) => App) {
    this.#start = start;
  }

  /** The app of a key, if it is served. */
  ofKey(key: string): App | undefined {
    return this.#byKey.get(key);
  }

  /** The app of an id, if it is served. */
  ofId(id: string): App | undefined {
    return this.#byId.get(id);
  }

  /** The apps in their given order; at least one. */
  get all(): readonly App[] {
    return this.#all;
  }

  /**
   * Serves these apps and no others. An app with the id and key of one before keeps its connections
   * and gets the new secret and rules; the connections of one that is gone are closed with 4001, of a
   * disabled one with 4003.
   *
   * @throws {Error} when the list is empty, or two apps share an id or a key; then nothing changed.
   */
  replace(configs: readonly AppConfig[]): void {
    checkDistinct(configs);
    const before = this.#all;
    const now = this.#all = configs.map((config) => this.#running(config) ?? this.#start(config));
    this.#byId = new Map(now.map((app, index) => [configs[index].id, app]));
    this.#byKey = new Map(now.map((app, index) => [configs[index].key, app]));
    for (const app of before) if (!now.includes(app)) app.remove();
    now.forEach((app, index) => app.configure(configs[index]));
  }

  #running({ id, key }: AppConfig): App | undefined {
    const app = this.#byId.get(id);
    return app?.settings.key === key ? app : undefined;
  }
}

function checkDistinct(configs: readonly AppConfig[]): void {
  if (configs.length === 0) throw new Error("There is no app to serve");
  for (const name of ["id", "key"] as const) {
    const values = configs.map((config) => config[name]);
    const double = values.find((value, index) => values.indexOf(value) !== index);
    if (double !== undefined) throw new Error(`Two apps have the ${name} ${double}`);
  }
}

/** The number of entries that the server keeps beside its apps, by what they are. */
type SocketStats = ReturnType<Sockets["stats"]>;

/** The number of entries in memory, over all apps, by what they are. */
export interface Stats extends AppStats, SocketStats {
  /** How often each limit was exceeded since the start. */
  refusals: LimitCounts;
}

/**
 * A server of the Pusher protocol, version 7, for one or more apps. It does not listen: pass it the
 * requests for sockets. What an app's own code may do is a method of its {@link App}.
 */
export class RealtimeServer implements ReportedEvents, SeenEvents {
  readonly #options: ResolvedOptions;
  readonly #others: OtherServers;
  readonly #apps: Apps;
  readonly #sockets: Sockets;
  readonly #limitCounters: LimitCounters;
  readonly #listeners: ServerListeners;

  /**
   * @param others the servers beside this one; by default there are none.
   * @throws {Error} when there is no app, or two share an id or a key.
   */
  constructor(options: RealtimeOptions, others: OtherServers = noOtherServers) {
    this.#others = others;
    const resolved = this.#options = resolveOptions(options);
    const { log } = resolved;
    this.#limitCounters = new LimitCounters((limit, socketId) => {
      // Refused clients of a full address try again each second: one line a minute says so.
      if (limit === "connectionsOfAddress") return;
      log({ level: "warn", message: "Limit exceeded", limit, socketId });
    });
    const failed = (error: unknown) =>
      log({ level: "error", message: "A server event listener failed", error });
    const listeners = this.#listeners = {
      serverEvents: new Listeners(failed),
      subscriptions: new Listeners(failed),
      rejections: new Listeners(failed),
    };
    this.#apps = new Apps((app) => new App(app, resolved, listeners, others));
    this.#apps.replace(resolved.apps);
    this.#sockets = new Sockets(
      resolved,
      (key) => this.#apps.ofKey(key),
      this.#limitCounters,
      (one) => listeners.rejections.emit(one.rejection, one.app?.settings),
    );
  }

  /**
   * Answers a request for `[/PREFIX]/app/KEY`. A socket that the protocol refuses opens nevertheless,
   * and is closed with `pusher:error` and a close code, unless its client could not stand that: see
   * `givesUpWhenClosed`.
   *
   * @param address the remote address, for the limit of connections of one address.
   * @returns 101; 400 when it is no WebSocket upgrade; 503 for a client that has to be refused before
   * its socket opens, and when too many sockets that were refused wait for their peers to close.
   */
  upgrade(request: Request, address?: string): Response {
    return this.#sockets.upgrade(request, address);
  }

  /** The apps that are served, at least one, in their given order. */
  get apps(): readonly App[] {
    return this.#apps.all;
  }

  /** The app of an id, if it is served. */
  app(id: string): App | undefined {
    return this.#apps.ofId(id);
  }

  /** The app of an id on all servers, if it is served, as the HTTP API uses it. */
  appApi(id: string): AppApi | undefined {
    const app = this.app(id);
    return app && new AppApi(app, this.#options.clock, this.#limitCounters, this.#others);
  }

  /** The app of an id on all servers, if it is served, as this server's own code uses it. */
  onAllServers(id: string): AppOnAllServers | undefined {
    const app = this.app(id);
    const { serverNumber } = this.#options;
    return app && new AppOnAllServers(app, this.#others, serverNumber);
  }

  /**
   * Serves these apps and no others. An app with the id and key of one before keeps its connections
   * and gets the new secret and rules; the connections of one that is gone are closed with 4001, of a
   * disabled one with 4003.
   *
   * @throws {Error} when the list is empty, or two apps share an id or a key; then nothing changed.
   */
  replaceApps(apps: readonly AppConfig[]): void {
    this.#apps.replace(apps);
  }

  /** See {@link ReportedEvents}. */
  onServerEvent(listener: ServerEventListener): () => void {
    return this.#listeners.serverEvents.add(listener);
  }

  /** See {@link SeenEvents}. */
  onSubscription(listener: SubscriptionListener): () => void {
    return this.#listeners.subscriptions.add(listener);
  }

  /** See {@link SeenEvents}. */
  onRejection(listener: RejectionListener): () => void {
    return this.#listeners.rejections.add(listener);
  }

  /** Whether {@link RealtimeServer.drain} has begun. */
  get isDraining(): boolean {
    return this.#sockets.isDraining;
  }

  /**
   * Stops the server. New sockets are closed with 4100, or refused with 503, so that their clients
   * try again later and reach another server or this one's successor; open ones are closed with
   * 4200, evenly over `ms` milliseconds. Meanwhile no departure is announced that the stop may have
   * caused. Resolves when every connection is released and its peer has closed, or half a second later.
   */
  async drain(ms: number = this.#options.drainMs): Promise<void> {
    for (const app of this.apps) app.pause();
    await this.#sockets.drain(ms);
    for (const app of this.apps) app.stop();
  }

  /**
   * Sends the clients to other servers, until {@link RealtimeServer.acceptAgain}. New sockets are closed
   * with 4100, or refused with 503; open ones are closed with 4200, evenly over `ms` milliseconds, and
   * their users leave after the leave grace. Does nothing while clients are sent away, and after a
   * {@link RealtimeServer.drain}. Resolves when the open connections are closed or may stay.
   */
  async sendAway(ms: number): Promise<void> {
    await this.#sockets.sendAway(ms);
  }

  /** Keeps the clients that {@link RealtimeServer.sendAway} has not closed yet, and accepts new ones. */
  acceptAgain(): void {
    this.#sockets.acceptAgain();
  }

  /** How often each limit was exceeded since the start. */
  refusals(): LimitCounts {
    return this.#limitCounters.counts();
  }

  /** The number of entries that the server keeps beside its apps. */
  socketStats(): SocketStats {
    return this.#sockets.stats();
  }

  /** The number of entries in memory; a leak shows here. */
  stats(): Stats {
    const total = this.apps.map((app) => app.stats()).reduce(sum);
    return { ...total, ...this.socketStats(), refusals: this.refusals() };
  }
}

function sum(one: AppStats, other: AppStats): AppStats {
  const names = Object.keys(one) as (keyof AppStats)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as AppStats;
}
