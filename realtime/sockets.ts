import { admission, type AdmissionFailure, givesUpWhenClosed } from "./admission.ts";
import type { App } from "./app.ts";
import { messageHandler } from "./commands/handle_message.ts";
import { AddressQuota } from "./connections/connection_limits.ts";
import { Connection, type ConnectionListener } from "./connections/connection.ts";
import { sendLargeFramesUncopied } from "./connections/deno_sockets.ts";
import { closeSpread, StalledPeers } from "./connections/closing.ts";
import { FullAddresses } from "./connections/full_addresses.ts";
import { Pacer } from "./connections/pacer.ts";
import type { LimitCounters, LimitName } from "./connections/limit_counters.ts";
import { type Departure, departures } from "./events/server_events.ts";
import { type Rejection, rejectionOf } from "./events/rejections.ts";
import type { ResolvedOptions } from "./options.ts";
import { closeCodes, closes } from "./protocol/close_codes.ts";
import { connectionEstablished } from "./protocol/outgoing.ts";
import { newSocketId } from "./protocol/socket_id.ts";
import { systemClock } from "./timing/clock.ts";

/** How long a drain waits for peers to answer the last closes, in milliseconds. */
const closingTimeoutMs = 500;

/** Every socket of a server: opens or refuses them, watches their liveness, closes them all. */
export class Sockets {
  readonly connections = new Map<string, Connection>();
  /** Released here, but not closed by their peers yet. */
  readonly #closing = new Set<Connection>();
  /** Sockets from their upgrade until their peers have closed. */
  readonly #admitted: AddressQuota;
  /** The same of refused connections. A peer keeps a closed socket for as long as it likes: refusals must not cost others theirs. */
  readonly #refused: AddressQuota;
  /** One for each app, as connections are many. */
  readonly #listeners = new WeakMap<App, ConnectionListener>();
  readonly #options: ResolvedOptions;
  readonly #appOf: (key: string) => App | undefined;
  readonly #limitCounters: LimitCounters;
  readonly #rejected: (one: { rejection: Rejection; app: App | undefined }) => void;
  readonly #fullAddresses: FullAddresses;
  readonly #stalled: StalledPeers<Connection>;
  readonly #pacer: Pacer<Connection>;
  #draining: Promise<void> | undefined;
  /** While clients are sent to other servers; aborted when no more of them are. */
  #away: AbortController | undefined;
  #vanished = () => {};

  constructor(
    options: ResolvedOptions,
    appOf: (key: string) => App | undefined,
    limitCounters: LimitCounters,
    rejected: (one: { rejection: Rejection; app: App | undefined }) => void,
  ) {
    const { clock, idleTimeoutSeconds, maxBufferedBytes, maxTotalBufferedBytes } = options;
    sendLargeFramesUncopied();
    this.#options = options;
    this.#appOf = appOf;
    this.#limitCounters = limitCounters;
    this.#rejected = rejected;
    const { maxConnections, maxConnectionsPerAddress: maxPerAddress, maxRefusedSockets } = options;
    this.#admitted = new AddressQuota({ max: 2 * maxConnections, maxPerAddress });
    this.#refused = new AddressQuota({
      max: maxRefusedSockets,
      maxPerAddress: maxPerAddress === 0 ? 0 : options.maxRefusedSocketsPerAddress,
    });
    this.#fullAddresses = new FullAddresses(maxPerAddress, clock, options.log);
    this.#stalled = new StalledPeers(
      idleTimeoutSeconds * 500,
      () => this.connections.values(),
      (connection) => connection.close(closes.sendBufferStalled, departures.timedOut),
      clock,
    );
    this.#pacer = new Pacer({
      maxBytes: maxBufferedBytes,
      maxTotalBytes: maxTotalBufferedBytes,
      // It counts ticks of the event loop, which the clock of a test does not have.
      clock: systemClock,
      close: (connection, limit) => connection.closeSlow(limit),
    });
  }

  /** Whether {@link drain} has begun. */
  get isDraining(): boolean {
    return this.#draining !== undefined;
  }

  /** The number of entries in memory, by what they are. */
  stats() {
    return {
      /** Open sockets of all apps. */
      sockets: this.connections.size,
      /** Sockets that were closed here and whose peer has not closed yet. */
      closing: this.#closing.size,
      /** Sockets that were refused and whose peer has not closed yet. */
      refused: this.#refused.size,
      /** Remote addresses with sockets that were admitted, and with sockets that were refused. */
      addresses: this.#admitted.addresses,
      refusedAddresses: this.#refused.addresses,
      /** Connections that had unread bytes at the last check for stalled peers. */
      suspects: this.#stalled.size,
    };
  }

  /** Answers a request for a socket; see {@link RealtimeServer.upgrade}. */
  upgrade(request: Request, address?: string): Response {
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") return badRequest();
    // The request can be read only as long as it is not upgraded.
    const decision = this.#refusal(address) ?? admission(request, this.#appOf);
    if ("close" in decision) {
      this.#reject(decision, request, address);
      const reason = this.#refusalUnopened(request, decision, address);
      if (reason !== undefined) return unavailable(reason);
    }
    const { socket, response } = this.#open(request);
    if (socket) this.#connect(socket, decision, address);
    return response;
  }

  #reject({ close, rejected }: AdmissionFailure, request: Request, address?: string): void {
    if (!rejected) return;
    const { reason, app } = rejected;
    const isFull = reason === "address_full" && address !== undefined;
    if (isFull) this.#fullAddresses.count(address);
    const origin = reason === "wrong_origin" ? request.headers.get("origin") : null;
    const subject = isFull ? address : origin;
    const message = subject === null ? close.reason : `${close.reason}: ${subject}`;
    this.#rejected({ rejection: rejectionOf({ reason, from: "client", message }), app });
  }

  /** Why a socket is refused by the status of its request, if so; see {@link RealtimeServer.upgrade}. */
  #refusalUnopened(
    request: Request,
    refusal: AdmissionFailure,
    address?: string,
  ): string | undefined {
    if (isRefusedUnopened(request, refusal)) {
      if (refusal.limit) this.#limitCounters.count(refusal.limit);
      return refusal.close.reason;
    }
    if (!this.#refused.isFullFor(address)) return undefined;
    this.#limitCounters.count("sockets");
    return "Too many sockets";
  }

  #open(request: Request): { socket?: WebSocket; response: Response } {
    try {
      return Deno.upgradeWebSocket(request, { idleTimeout: this.#options.idleTimeoutSeconds });
    } catch {
      return { response: badRequest() };
    }
  }

  #connect(socket: WebSocket, decision: App | AdmissionFailure, address?: string): void {
    const id = newSocketId((taken) => this.connections.has(taken), this.#options.serverNumber);
    const isRefused = "close" in decision;
    (isRefused ? this.#refused : this.#admitted).add(address);
    const listener = isRefused ? this.#refusing(decision) : this.#serving(decision);
    new Connection(id, socket, listener, address);
  }

  /** Why the server itself admits no socket of an address now, if so. */
  #refusal(address: string | undefined): AdmissionFailure | undefined {
    const refusal = this.#refusalOfAll();
    if (refusal || !this.#admitted.isFullFor(address)) return refusal;
    if (this.#admitted.isFull) return serverFull;
    return addressFull(this.#options.maxConnectionsPerAddress);
  }

  #refusalOfAll(): AdmissionFailure | undefined {
    if (this.isDraining) return { close: closes.serverStopping };
    if (this.#away) return { close: closes.sendingAway };
    return this.connections.size < this.#options.maxConnections ? undefined : serverFull;
  }

  #refuse(connection: Connection, { close, limit }: AdmissionFailure): void {
    if (limit) this.#limitCounters.count(limit, connection);
    connection.fail(close);
  }

  /** What the connections of an app call. */
  #serving(app: App): ConnectionListener {
    const existing = this.#listeners.get(app);
    if (existing) return existing;
    const { clock } = this.#options;
    const listener = {
      ...this.#common(this.#admitted),
      opened: (connection: Connection) => this.#opened(connection, app),
      received: messageHandler({
        app,
        clock,
        limits: this.#options,
        limitCounters: this.#limitCounters,
      }),
      released: (connection: Connection, departure: Departure) =>
        this.#released(connection, app, departure),
    };
    this.#listeners.set(app, listener);
    return listener;
  }

  /** What a connection calls that is closed as soon as it is open. */
  #refusing(refusal: AdmissionFailure): ConnectionListener {
    return {
      ...this.#common(this.#refused),
      opened: (connection) => this.#refuse(connection, refusal),
      received: () => {},
      released: (connection) => this.#closing.add(connection),
    };
  }

  #common(quota: AddressQuota) {
    return {
      maxErrors: this.#options.maxErrors,
      idleTimeoutSeconds: this.#options.idleTimeoutSeconds,
      pacer: this.#pacer,
      exceeded: (limit: LimitName, connection: Connection) =>
        this.#limitCounters.count(limit, connection),
      vanished: (connection: Connection) => {
        quota.delete(connection.address);
        this.#closing.delete(connection);
        this.#vanished();
      },
      failed: (connection: Connection, error: unknown) => this.#failed(connection, error),
    };
  }

  #opened(connection: Connection, app: App): void {
    const refusal = this.#refusalOfAll() ?? app.refusal();
    if (refusal) return this.#refuse(connection, refusal);
    const { activityTimeoutSeconds, clock } = this.#options;
    this.connections.set(connection.id, connection);
    connection.openedAt = connection.lastFrameAt = clock.now();
    app.opened(connection);
    this.#stalled.start();
    connection.send(connectionEstablished(connection.id, activityTimeoutSeconds));
  }

  #released(connection: Connection, app: App, departure: Departure): void {
    this.#closing.add(connection);
    if (!this.connections.delete(connection.id)) return;
    if (this.connections.size === 0) this.#stalled.stop();
    app.released(connection, departure);
  }

  #failed(connection: Connection, error: unknown): void {
    const { log } = this.#options;
    log({ level: "error", message: "A connection failed", socketId: connection.id, error });
    connection.close(closes.serverFailed);
  }

  /** See {@link RealtimeServer.sendAway}. */
  async sendAway(ms: number): Promise<void> {
    if (this.#away || this.isDraining) return;
    const { signal } = this.#away = new AbortController();
    const close = (connection: Connection) => connection.close(closes.sentAway, departures.closed);
    await closeSpread([...this.connections.values()], close, ms, this.#options.clock, signal);
  }

  /** See {@link RealtimeServer.acceptAgain}. */
  acceptAgain(): void {
    this.#away?.abort();
    this.#away = undefined;
  }

  /** See {@link RealtimeServer.drain}. */
  drain(ms: number): Promise<void> {
    return this.#draining ??= this.#drain(ms);
  }

  async #drain(ms: number): Promise<void> {
    this.acceptAgain();
    const close = (connection: Connection) => connection.close(closes.serverStopped);
    await closeSpread([...this.connections.values()], close, ms, this.#options.clock);
    await this.#allVanished();
    this.#fullAddresses.stop();
    this.#pacer.stop();
    this.#stalled.stop();
  }

  async #allVanished(): Promise<void> {
    if (this.#closing.size === 0) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#options.clock.after(closingTimeoutMs, resolve);
      this.#vanished = () => {
        if (this.#closing.size > 0) return;
        cancel();
        resolve();
      };
    });
  }
}

/** Whether a client that may come back would stop for good if its socket opened and were closed. */
function isRefusedUnopened({ url }: Request, { close }: AdmissionFailure): boolean {
  const query = URL.parse(url)?.searchParams;
  return close.code === closeCodes.overCapacity && query !== undefined && givesUpWhenClosed(query);
}

function unavailable(reason: string): Response {
  const headers = { connection: "close", "retry-after": "5" };
  return new Response(`${reason}\n`, { status: 503, headers });
}

function addressFull(maxConnections: number): AdmissionFailure {
  return {
    close: closes.addressFull(maxConnections),
    rejected: { reason: "address_full" },
    limit: "connectionsOfAddress",
  };
}

const serverFull: AdmissionFailure = { close: closes.serverFull, limit: "connections" };

function badRequest(): Response {
  return new Response("Expected a WebSocket upgrade\n", { status: 400 });
}
