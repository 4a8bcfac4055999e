import type { MemberChange } from "./channels/member_list.ts";
import { countsOf, type PresenceChange } from "./channels/members.ts";
import { ChannelListeners } from "./events/listeners.ts";
import {
  type ClientEvent,
  type Departure,
  departures,
  type PublishedEvent,
  type Publisher,
  type ServerEvent,
  type ServerListeners,
} from "./events/server_events.ts";
import { AppAdmission, AppConnections } from "./app_connections.ts";
import { type AppConfig, type AppSettings, appSettings, takesEvent } from "./app_config.ts";
import { AppPresence } from "./app_presence.ts";
import type { Broker, BrokerOptions, ChannelQueries, RoomLimit } from "./brokers/broker.ts";
import { LocalBroker } from "./brokers/local_broker.ts";
import { Hub } from "./channels/hub.ts";
import { ActivityReports, ReportedPages } from "./channels/reported_pages.ts";
import type { Connection, SignedInUser } from "./connections/connection.ts";
import { type LimitName, type Traffic, TrafficCounter } from "./connections/limit_counters.ts";
import { type Rejection, rejectionOf } from "./events/rejections.ts";
import type { ResolvedOptions } from "./options.ts";
import { noOtherServers, type OtherServers } from "./other_servers.ts";
import {
  clientEvent,
  dataText,
  type Frame,
  published,
  readPublished,
} from "./protocol/outgoing.ts";
import { serverToUserChannel } from "./protocol/channel_names.ts";
import type { MemberUpdate } from "./protocol/member.ts";
import { type Close, closes } from "./protocol/close_codes.ts";
import { AddressBudget, RateLimiter } from "./timing/budget.ts";
import { Watchlists } from "./users/watchlists.ts";

/**
 * The listeners of this server's own code to what it sees in the channels of an app. What happens at other
 * servers is seen only in channels that have a subscriber here or are followed (see `App.follow`). They are called
 * synchronously, so they must be quick. What the installation reports once over all servers is in
 * {@link ReportedEvents}.
 */
class AppListeners {
  /** Are called after every change of a presence channel's counts. */
  readonly presence: ChannelListeners<PresenceChange>;
  /** Are called after the page of a member of a presence channel changed. */
  readonly pages: ChannelListeners<void>;
  /** Are called with the user of this node who is active, idle or neither from now on. */
  readonly activity: ChannelListeners<string>;
  /** Are called with every event that is published to a channel or sent there by a client. */
  readonly published: ChannelListeners<PublishedEvent>;
  /** Are called with each change of a presence channel's list. */
  readonly members: ChannelListeners<MemberChange>;
  /** Are called when a channel has nothing left on this server. */
  readonly closed: ChannelListeners<void>;

  /** @param failed receives what a listener throws. */
  constructor(failed: (error: unknown) => void) {
    this.presence = new ChannelListeners(failed);
    this.pages = new ChannelListeners(failed);
    this.activity = new ChannelListeners(failed);
    this.published = new ChannelListeners(failed);
    this.members = new ChannelListeners(failed);
    this.closed = new ChannelListeners(failed);
  }

  /** The number of channels with listeners, counted for each kind. */
  get size(): number {
    const { presence, pages, activity, published, members, closed } = this;
    return [presence, pages, activity, published, members, closed]
      .reduce((sum, { size }) => sum + size, 0);
  }
}

/** An app that is served: its settings, channels, connections and users. */
export class App {
  readonly hub: Hub;
  readonly connections: AppConnections;
  readonly presence: AppPresence;
  readonly listeners: AppListeners;
  /** Calls of the HTTP API. */
  readonly apiCalls = new RateLimiter();
  /** Joins of presence channels by clients that left one before. */
  readonly rejoins: AddressBudget;
  /** The pages that clients report. */
  readonly pages: ReportedPages;
  /** Whether clients' tabs are used, as they report it. */
  readonly activity: ActivityReports;
  readonly #broker: Broker;
  /** Refuses a subscription whose channel turned out to be full. */
  onFull: (connection: Connection, channel: string, limit: RoomLimit) => void = () => {};
  readonly #watchlists: Watchlists;
  /** The listeners to all apps. */
  readonly #ofServer: ServerListeners;
  readonly #admission: AppAdmission;
  readonly #blockReason: ResolvedOptions["blockReason"];
  readonly #traffic = new TrafficCounter();
  #settings: AppSettings;
  #isRemoved = false;
  #isPaused = false;

  /** @param others the servers beside this one; by default there are none. */
  constructor(
    config: AppConfig,
    options: ResolvedOptions,
    ofServer: ServerListeners,
    others: OtherServers = noOtherServers,
  ) {
    const { clock, isGuest, log, presenceGraceMs } = options;
    this.#settings = appSettings(config);
    this.#blockReason = options.blockReason;
    this.rejoins = new AddressBudget(options.rejoinBudget);
    this.#ofServer = ofServer;
    this.listeners = new AppListeners((error) =>
      log({ level: "error", message: "A listener of a channel failed", error })
    );
    const pageChanged = (channel: string) => this.listeners.pages.emit(channel, () => {});
    this.pages = new ReportedPages(pageChanged, clock);
    this.activity = new ActivityReports(
      (channel, userId) => this.hub.presence(channel)?.activityReported(userId),
      clock,
    );
    const emit = (event: ServerEvent) => this.emit(event);
    const makeBroker = options.broker ?? ((own: BrokerOptions) => new LocalBroker(own));
    this.#broker = makeBroker({
      appId: config.id,
      clock,
      emit,
      maxCacheBytes: () => this.#settings.maxCacheBytes,
    });
    const settings = () => this.#settings;
    this.#admission = new AppAdmission({
      settings,
      broker: this.#broker,
      clock,
      count: () => this.connections.size,
      remote: async () => {
        const { answers } = await others.connections(this.#settings.id);
        return answers.reduce((sum, count) => sum + count, 0);
      },
    });
    this.#watchlists = new Watchlists(this.#broker, options, () => this.#settings.watchlist);
    this.hub = new Hub(this.#broker, {
      clock,
      presenceGraceMs,
      isGuest,
      limits: options,
      emit,
      settings,
      changed: (channel, userId) =>
        this.listeners.presence.emit(channel.name, () => ({ ...countsOf(channel), userId })),
      activityChanged: (channel, userId) => this.listeners.activity.emit(channel, () => userId),
      joined: (channel, member) =>
        this.#ofServer.subscriptions.emit(channel, this.#settings, member),
      published: (channel, frame, from) => this.#seen(channel, frame, from),
      countSent: (channel, frame) => this.#passed(channel, frame, "server"),
      memberChanged: (channel, change) => this.listeners.members.emit(channel, () => change),
      closed: (channel) => this.listeners.closed.emit(channel, () => {}),
      refused: (connection, channel, limit) => this.onFull(connection, channel, limit),
    });
    this.presence = new AppPresence(this.hub, options);
    this.connections = new AppConnections(this.hub, this.#watchlists);
  }

  /** The credentials and rules that apply now. */
  get settings(): AppSettings {
    return this.#settings;
  }

  /** Applies another configuration. Connections stay, unless the app is disabled: they get 4003. */
  configure(config: AppConfig): void {
    this.#settings = appSettings(config);
    if (!this.#settings.enabled) this.connections.closeAll(closes.appDisabled);
    this.#admission.configured();
    this.#watchlists.configured();
  }

  /** The app is no longer served: closes its connections with 4001 and drops all that it keeps. */
  remove(): void {
    this.#isRemoved = true;
    this.connections.closeAll(closes.appRemoved);
    this.stop();
  }

  /** Why no connection may open now, if so. */
  refusal(): { close: Close; limit?: LimitName } | undefined {
    return this.#isRemoved ? { close: closes.appRemoved } : this.#admission.refusal();
  }

  /** Why a user is blocked, as a sentence for the user; undefined for everyone else. */
  blockReason(userId: string): string | undefined {
    return this.#blockReason(this.#settings.id, userId);
  }

  /** A connection opened, and counts towards the app's limits. */
  opened(connection: Connection): void {
    this.connections.add(connection);
    this.#admission.opened(connection);
  }

  /** A client sent a frame. */
  received(): void {
    this.#traffic.received++;
  }

  /** A connection joined a private or presence channel, or signed in: its join timeout ends. */
  authorized(connection: Connection): void {
    this.#admission.authorized(connection);
  }

  /** A connection signed in for the first time. */
  signedIn(connection: Connection, user: SignedInUser): void {
    connection.user = user;
    this.authorized(connection);
    this.#watchlists.enter(connection, user);
  }

  /** A connection was released: it leaves its channels, and its user may go offline. */
  released(connection: Connection, departure: Departure): void {
    if (!this.connections.delete(connection)) return;
    this.#admission.released(connection);
    this.#traffic.released(connection);
    this.pages.released(connection);
    this.activity.released(connection);
    const isRestart = this.#isPaused && !departure.isRequested;
    const actual = isRestart ? departures.serverStopped : departure;
    this.hub.release(connection, actual);
    this.#watchlists.leave(connection, actual);
  }

  /** Reports a frame that was refused and that the app's developer can mend. */
  reject(rejection: Rejection): void {
    this.#ofServer.rejections.emit(rejectionOf(rejection), this.#settings);
  }

  /** Passes an event to the server's listeners, unless the app is removed. */
  emit(event: ServerEvent): void {
    if (!this.#isRemoved) this.#ofServer.serverEvents.emit(event, this.#settings);
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
    const frame = published(channel, event, data);
    if (!this.#broker.isShared) this.#passed(channel, frame, from);
    return this.hub.publish(channel, frame, { except, from });
  }

  /** Sends a client event to the other subscribers of a channel, and reports it. */
  relay({ channel, event, data, socketId, userId }: Omit<ClientEvent, "name">): void {
    const frame = clientEvent(channel, event, data, userId);
    if (!this.#broker.isShared) this.#passed(channel, frame, "client");
    this.hub.relay(channel, frame, socketId);
    this.emit({ name: "client_event", channel, event, data, socketId, userId });
  }

  /** A frame reached a channel here. Without other servers, its sender has told the listeners already. */
  #seen(channel: string, frame: Frame, from: Publisher): void {
    if (this.#broker.isShared) this.#passed(channel, frame, from);
  }

  #passed(channel: string, frame: Frame, from: Publisher): void {
    this.listeners.published.emit(channel, () => ({ ...readPublished(frame), from }));
  }

  /**
   * Keeps what happens in a channel known here, whether it has subscribers here or not.
   *
   * @returns ends it.
   */
  follow(channel: string): () => void {
    // A single server has all members itself, and sees all that is published.
    return this.#broker.isShared ? this.hub.follow(channel) : () => {};
  }

  /**
   * Sends an event to a channel's subscribers on this node only, those included that wait to be subscribed; no
   * channel keeps it.
   */
  publishHere(channel: string, event: string, data: unknown): void {
    this.listeners.published.emit(channel, () => (
      { name: event, data: dataText(data), from: "server" }
    ));
    this.hub.channels.get(channel)?.sendHere(published(channel, event, data));
  }

  /** Sends an event to every connection that signed in as the user, on every node. */
  sendToUser(userId: string, event: string, data: unknown): void {
    this.publish(serverToUserChannel(userId), event, data);
  }

  /**
   * Changes a member of a presence channel, on whichever nodes it is.
   *
   * @returns whether the user is a member.
   * @throws {Unavailable} when it may not have been changed.
   */
  updateMember(channel: string, userId: string, update: MemberUpdate): Promise<boolean> {
    const isReported = this.#settings.webhooks.some((webhook) =>
      takesEvent(webhook, "member_updated")
    );
    return this.#broker.update(channel, userId, update, isReported);
  }

  /** What can be asked of the channels over all nodes. */
  get queries(): ChannelQueries {
    return this.#broker;
  }

  /** Whether a channel has a connection other than observers, or a user in its leave grace. */
  isOccupied(channel: string): boolean {
    return this.hub.channels.get(channel)?.isOccupied ?? false;
  }

  /** The server is about to close its connections: from now on no departure is announced. */
  pause(): void {
    this.#isPaused = true;
    this.hub.pause();
    this.#watchlists.pause();
  }

  /** Closes every channel and cancels every timer. */
  stop(): void {
    this.#watchlists.stop();
    this.#admission.stop();
    this.pages.stop();
    this.activity.stop();
    this.hub.close(this.#isRemoved);
  }

  /** The traffic of clients since the start. */
  traffic(): Traffic {
    return this.#traffic.total(this.connections.all());
  }

  /** The number of entries in memory, by what they are; a leak shows here. */
  stats() {
    return {
      /** Open connections. */
      connections: this.connections.size,
      ...this.hub.stats(),
      ...this.#broker.stats(),
      /** Connections that have to authorize in time. */
      unauthorized: this.#admission.unauthorized,
      ...this.#watchlists.stats(),
      /** Connections whose page changed within a second. */
      pages: this.pages.size,
      /** Connections whose tab became active or idle within a second. */
      activities: this.activity.size,
      /** Channels with listeners. */
      listenedTo: this.listeners.size,
    };
  }
}

/** See {@link App.stats}. */
export type AppStats = ReturnType<App["stats"]>;
