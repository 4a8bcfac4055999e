import { admission, type Refusal } from "./admission.ts";
import type { PresenceChannel } from "./channel.ts";
import { obey } from "./commands.ts";
import { Connection, type ConnectionOwner, type Ending } from "./connection.ts";
import { Deadlines } from "./deadlines.ts";
import { closeSpread } from "./drain.ts";
import { type Departure, Hub } from "./hub.ts";
import { LocalBroker } from "./local_broker.ts";
import { type RealtimeOptions, type Settings, settingsOf } from "./options.ts";
import { connectionEstablished, published } from "./outgoing.ts";
import { closeCodes } from "./protocol.ts";
import { newSocketId } from "./socket_id.ts";
import { StalledPeers } from "./stalled_peers.ts";

export type { App } from "./signature.ts";
export type { LogEntry, RealtimeOptions } from "./options.ts";

/** How many are in a presence channel. */
export interface PresenceCounts {
  users: number;
  connections: number;
}

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
  presenceListeners: number;
}

/** Closes connections of a user how and why; see {@link RealtimeServer.closeUser}. */
export interface CloseUserOptions {
  /** Channels that only this user's connections are in. */
  channels?: string[];
  /** A close code of the protocol; 4009, after which a client does not come back. */
  code?: number;
  reason?: string;
}

/** A server of the Pusher protocol, version 7, for one app. It listens nowhere: hand it requests. */
export class RealtimeServer {
  readonly #settings: Settings;
  readonly #hub: Hub;
  readonly #connections = new Map<string, Connection>();
  readonly #closing = new Set<Connection>();
  readonly #departures: Deadlines<Departure>;
  readonly #unauthorized: Deadlines<Connection>;
  readonly #stalled: StalledPeers<Connection>;
  readonly #presenceListeners = new Map<string, Set<(counts: PresenceCounts) => void>>();
  readonly #owner: ConnectionOwner;
  #draining: Promise<void> | undefined;
  #vanished = () => {};

  constructor(options: RealtimeOptions) {
    const settings = this.#settings = settingsOf(options);
    const { clock, joinTimeoutMs, presenceGraceMs, idleTimeoutSeconds } = settings;
    this.#departures = new Deadlines(presenceGraceMs, (gone) => gone.hub.expire(gone), clock);
    this.#unauthorized = new Deadlines(joinTimeoutMs, closeUnauthorized, clock);
    this.#stalled = new StalledPeers(
      idleTimeoutSeconds * 500,
      () => this.#connections.values(),
      (connection) => connection.end(closeCodes.noPong, "Takes nothing"),
      clock,
    );
    this.#hub = new Hub(settings.app, new LocalBroker(), {
      graceMs: presenceGraceMs,
      now: clock.now,
      wake: (departure) => this.#departures.add(departure),
      changed: (channel) => this.#tellPresence(channel),
    });
    this.#owner = this.#ownerOfAdmitted();
  }

  /**
   * Answers a request for `[/PREFIX]/app/KEY`. An upgrade is never refused for what only the protocol
   * knows: the socket opens, gets an error and is closed with its code.
   *
   * @returns 101; 400 when it is no WebSocket upgrade; 503 when there are twice as many sockets as
   * connections may be, those that wait for their peers to close included.
   */
  upgrade(request: Request): Response {
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") return badRequest();
    if (this.#connections.size + this.#closing.size >= 2 * this.#settings.maxConnections) {
      return new Response("Too many sockets\n", { status: 503 });
    }
    // Decided first: the upgrade takes the request's headers away.
    const decision = this.#refusalNow() ??
      admission(request, { ...this.#settings, appOf: (key) => this.#hubOf(key)?.app });
    const { socket, response } = this.#open(request);
    if (!socket) return response;
    const id = newSocketId((taken) => this.#connections.has(taken));
    if ("key" in decision) new Connection(id, decision, socket, this.#owner);
    else new Connection(id, this.#settings.app, socket, this.#ownerOfRefused(decision));
    return response;
  }

  #open(request: Request): { socket?: WebSocket; response: Response } {
    try {
      return Deno.upgradeWebSocket(request, { idleTimeout: this.#settings.idleTimeoutSeconds });
    } catch {
      return { response: badRequest() };
    }
  }

  #hubOf(key: string): Hub | undefined {
    return this.#hub.app.key === key ? this.#hub : undefined;
  }

  #refusalNow(): Refusal | undefined {
    if (this.#draining) return { code: closeCodes.reconnect, message: "The server is stopping" };
    return this.#connections.size >= this.#settings.maxConnections
      ? { code: closeCodes.overCapacity, message: "The server has no room for more connections" }
      : undefined;
  }

  #ownerOfAdmitted(): ConnectionOwner {
    return {
      ...this.#ownerOfAll(),
      opened: (connection) => this.#opened(connection),
      received: (connection, data) => this.#received(connection, data),
      released: (connection, ending) => this.#released(connection, ending),
    };
  }

  #ownerOfRefused({ code, message }: Refusal): ConnectionOwner {
    return {
      ...this.#ownerOfAll(),
      opened: (connection) => connection.fail(code, message),
      received: () => {},
      released: (connection) => this.#closing.add(connection),
    };
  }

  #ownerOfAll() {
    const { maxBufferedBytes, maxErrors } = this.#settings;
    return {
      maxBufferedBytes,
      maxErrors,
      vanished: (connection: Connection) => {
        this.#closing.delete(connection);
        this.#vanished();
      },
      failed: (connection: Connection, error: unknown) => this.#failed(connection, error),
    };
  }

  #opened(connection: Connection): void {
    const refusal = this.#refusalNow();
    if (refusal) return connection.fail(refusal.code, refusal.message);
    const { joinTimeoutMs, activityTimeoutSeconds } = this.#settings;
    this.#connections.set(connection.id, connection);
    if (joinTimeoutMs > 0) this.#unauthorized.add(connection);
    this.#stalled.start();
    connection.send(connectionEstablished(connection.id, activityTimeoutSeconds));
  }

  #received(connection: Connection, data: unknown): void {
    const hub = this.#hubOf(connection.app.key);
    if (!hub) return;
    const { clock } = this.#settings;
    const authorized = () => this.#unauthorized.delete(connection);
    obey({ hub, connection, limits: this.#settings, now: clock.now(), authorized }, data);
  }

  #released(connection: Connection, ending: Ending): void {
    this.#closing.add(connection);
    if (!this.#connections.delete(connection.id)) return;
    this.#unauthorized.delete(connection);
    if (this.#connections.size === 0) this.#stalled.stop();
    this.#hubOf(connection.app.key)?.release(connection, { grace: ending !== "timed out" });
  }

  #failed(connection: Connection, error: unknown): void {
    const { log } = this.#settings;
    log({ level: "error", message: "A connection failed", socketId: connection.id, error });
    connection.end(closeCodes.overCapacity, "The server failed");
  }

  /** Sends an event to a channel's subscribers, but not to the socket of the id `except`. */
  publish(channel: string, event: string, data: unknown, except?: string): void {
    this.#hub.publish(channel, published(channel, event, data), except);
  }

  /** Who is in a presence channel now, as subscribers see it; nobody in any other channel. */
  presence(channel: string): Presence {
    const found = this.#hub.presence(channel);
    return { userIds: found?.members.ids() ?? [], ...countsOf(found) };
  }

  /** Calls back after every change of a presence channel's counts; the answer stops it. */
  onPresence(channel: string, listener: (counts: PresenceCounts) => void): () => void {
    const listeners = this.#presenceListeners.get(channel) ?? new Set();
    this.#presenceListeners.set(channel, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#presenceListeners.delete(channel);
    };
  }

  #tellPresence(channel: PresenceChannel<Connection>): void {
    const listeners = this.#presenceListeners.get(channel.name);
    if (!listeners) return;
    for (const listener of listeners) listener(countsOf(channel));
  }

  /**
   * Closes every connection of a user: those signed in as it, those in a presence channel as it, and
   * those in one of the given channels. It is gone at once, with no grace.
   *
   * @returns how many were closed.
   */
  closeUser(userId: string, options: CloseUserOptions = {}): number {
    const { channels = [], code = closeCodes.notAuthorized, reason = "Closed" } = options;
    const theirs = [...this.#connections.values()].filter(({ user, subscriptions }) =>
      user?.id === userId || channels.some((channel) => subscriptions.has(channel)) ||
      subscriptions.values().some((subscription) => subscription.userId === userId)
    );
    for (const connection of theirs) {
      this.#hub.release(connection, { grace: false });
      connection.fail(code, reason);
    }
    return theirs.length;
  }

  /**
   * Stops: new sockets are told to reconnect, which leads them to another server or to this one's
   * successor, and the open ones are closed one by one over so many milliseconds. Resolves when every
   * connection is released, and its peer has closed or had half a second for it.
   */
  drain(ms: number = this.#settings.drainMs): Promise<void> {
    return this.#draining ??= this.#drain(ms);
  }

  async #drain(ms: number): Promise<void> {
    await closeSpread([...this.#connections.values()], ms, this.#settings.clock);
    for (const connection of this.#connections.values()) {
      connection.end(closeCodes.reconnect, "The server is stopping");
    }
    await this.#allVanished(500);
    this.#departures.stop();
    this.#unauthorized.stop();
    this.#stalled.stop();
  }

  async #allVanished(patienceMs: number): Promise<void> {
    if (this.#closing.size === 0) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#settings.clock.after(patienceMs, resolve);
      this.#vanished = () => {
        if (this.#closing.size > 0) return;
        cancel();
        resolve();
      };
    });
  }

  /** How much is kept; a leak shows here. */
  stats(): Stats {
    const channels = [...this.#hub.channels.values()];
    const presences = channels.map(({ name }) => this.#hub.presence(name));
    const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
    return {
      connections: this.#connections.size,
      closing: this.#closing.size,
      channels: channels.length,
      subscriptions: sum(channels.map((channel) => channel.subscribers.size)),
      members: sum(presences.map((presence) => presence?.members.size ?? 0)),
      leaving: this.#departures.size,
      unauthorized: this.#unauthorized.size,
      presenceListeners: this.#presenceListeners.size,
    };
  }
}

function countsOf(channel: PresenceChannel<Connection> | undefined): PresenceCounts {
  return { users: channel?.members.size ?? 0, connections: channel?.connections ?? 0 };
}

function closeUnauthorized(connection: Connection): void {
  connection.fail(closeCodes.notAuthorized, "Nothing was joined in time");
}

function badRequest(): Response {
  return new Response("A WebSocket upgrade is expected here\n", { status: 400 });
}
