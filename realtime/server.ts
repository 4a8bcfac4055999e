import type { AppChannels } from "./app_channels.ts";
import type { PresenceChannel } from "./channel.ts";
import { obey } from "./commands.ts";
import type { Connection, Ending, Holder } from "./connection.ts";
import { Deadlines } from "./deadlines.ts";
import { type Departure, Hub } from "./hub.ts";
import { HubChannels } from "./hub_channels.ts";
import { LocalBroker } from "./local_broker.ts";
import { type RealtimeOptions, type Settings, settingsOf } from "./options.ts";
import { published } from "./outgoing.ts";
import {
  type PresenceCounts,
  type PresenceListener,
  PresenceListeners,
} from "./presence_listeners.ts";
import { closeCodes } from "./protocol.ts";
import { Sockets } from "./sockets.ts";

export type { Holder } from "./connection.ts";
export type { App } from "./signature.ts";
export type { LogEntry, RealtimeOptions } from "./options.ts";
export type { PresenceCounts, PresenceListener } from "./presence_listeners.ts";

/** Who is in a presence channel. */
export interface Presence extends PresenceCounts {
  userIds: string[];
}

/** The size of everything that is kept. */
export interface Stats {
  connections: number;
  /** Sockets that were closed here and whose peer has not closed yet. */
  closing: number;
  channels: number;
  subscriptions: number;
  /** Members of all presence channels. */
  members: number;
  /** Users in their leave grace, those who came back meanwhile included. */
  leaving: number;
  /** Connections that have to authorize in time. */
  unauthorized: number;
  /** Channels whose counts somebody listens to. */
  listenedTo: number;
}

/** How {@link RealtimeServer.closeUser} and {@link RealtimeServer.closeSession} close. */
export interface CloseOptions {
  /** A close code of the protocol; 4009, after which a client does not come back. */
  code?: number;
  reason?: string;
}

/** A server of the Pusher protocol, version 7, for one app. It listens nowhere: hand it requests. */
export class RealtimeServer {
  readonly #settings: Settings;
  readonly #hub: Hub;
  readonly #sockets: Sockets;
  readonly #departures: Deadlines<Departure>;
  readonly #listeners: PresenceListeners;

  constructor(options: RealtimeOptions) {
    const settings = this.#settings = settingsOf(options);
    const { clock, log, presenceGraceMs } = settings;
    this.#listeners = new PresenceListeners((error) =>
      log({ level: "error", message: "A presence listener failed", error })
    );
    this.#departures = new Deadlines(presenceGraceMs, (gone) => gone.hub.expire(gone), clock);
    this.#sockets = new Sockets(settings, {
      appOf: (key) => this.#hubOf(key)?.app,
      received: (connection, data) => this.#received(connection, data),
      released: (connection, ending) => this.#released(connection, ending),
    });
    this.#hub = new Hub(settings.app, new LocalBroker(), {
      graceMs: presenceGraceMs,
      now: clock.now,
      wake: (departure) => this.#departures.add(departure),
      changed: (channel) => this.#listeners.tell(channel.name, () => countsOf(channel)),
    });
  }

  /**
   * Answers a request for `[/PREFIX]/app/KEY`. An upgrade is never refused for what only the protocol
   * knows: the socket opens, gets an error and is closed with its code.
   *
   * @returns 101; 400 when it is no WebSocket upgrade; 503 when there are twice as many sockets as
   * connections may be, those that wait for their peers to close included.
   */
  upgrade(request: Request): Response {
    return this.#sockets.upgrade(request);
  }

  #hubOf(key: string): Hub | undefined {
    return this.#hub.app.key === key ? this.#hub : undefined;
  }

  #received(connection: Connection, data: unknown): void {
    const hub = this.#hubOf(connection.app.key);
    if (!hub) return;
    const limits = this.#settings;
    const authorized = () => this.#sockets.authorized(connection);
    obey({ hub, connection, limits, now: limits.clock.now(), authorized }, data);
  }

  /** A peer that was silent for the whole idle time had its grace. */
  #released(connection: Connection, ending: Ending): void {
    this.#hubOf(connection.app.key)?.release(connection, { grace: ending !== "timed out" });
  }

  /** Sends an event to a channel's subscribers, but not to the socket of the id `except`. */
  publish(channel: string, event: string, data: unknown, except?: string): void {
    this.#hub.publish(channel, published(channel, event, data), except);
  }

  /** Who is in a presence channel now, as its subscribers see it; nobody in any other channel. */
  presence(channel: string): Presence {
    const found = this.#hub.presence(channel);
    return { userIds: found?.members.ids() ?? [], ...countsOf(found) };
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
  attribute(socketId: string, holder: Holder): boolean {
    const connection = this.#sockets.connections.get(socketId);
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
  closeUser(userId: string, options: CloseOptions = {}): number {
    return this.#close(
      options,
      ({ holder, user, subscriptions }) =>
        holder?.userId === userId || user?.id === userId ||
        subscriptions.values().some((subscription) => subscription.userId === userId),
    );
  }

  /** Closes every connection attributed to a session, as {@link closeUser} does. */
  closeSession(sessionId: string, options: CloseOptions = {}): number {
    return this.#close(options, ({ holder }) => holder?.sessionId === sessionId);
  }

  /** The channels of the app of this id, as the HTTP API and a server's own code use them. */
  appChannels(appId: string): AppChannels | undefined {
    if (this.#hub.app.id !== appId) return undefined;
    const options = { reason: "The user was signed out" };
    return new HubChannels(
      this.#hub,
      (userId) => this.#close(options, ({ user }) => user?.id === userId),
    );
  }

  #close(options: CloseOptions, isMeant: (connection: Connection) => boolean): number {
    const { code = closeCodes.notAuthorized, reason = "Closed" } = options;
    const connections = this.#sockets.connections.values().filter(isMeant).toArray();
    for (const connection of connections) {
      this.#hub.release(connection, { grace: false });
      connection.fail(code, reason);
    }
    return connections.length;
  }

  /**
   * Stops: new sockets are told to come back in a second, which leads them to another server or to
   * this one's successor, and the open ones are closed one by one over so many milliseconds. Nobody is
   * told that others leave meanwhile. Resolves when every connection is released, and its peer has
   * closed or had half a second for it.
   */
  async drain(ms: number = this.#settings.drainMs): Promise<void> {
    this.#departures.hold();
    await this.#sockets.drain(ms);
    this.#departures.stop();
    this.#hub.close();
  }

  /** How much is kept; a leak shows here. */
  stats(): Stats {
    const channels = [...this.#hub.channels.values()];
    const presences = channels.map(({ name }) => this.#hub.presence(name));
    const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
    return {
      connections: this.#sockets.connections.size,
      closing: this.#sockets.closing,
      channels: channels.length,
      subscriptions: sum(channels.map((channel) => channel.subscribers.size)),
      members: sum(presences.map((presence) => presence?.members.size ?? 0)),
      leaving: this.#departures.size,
      unauthorized: this.#sockets.unauthorized,
      listenedTo: this.#listeners.size,
    };
  }
}

function countsOf(channel: PresenceChannel<Connection> | undefined): PresenceCounts {
  return { users: channel?.members.size ?? 0, connections: channel?.connections ?? 0 };
}
