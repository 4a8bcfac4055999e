import { admission, type Refusal } from "./admission.ts";
import { Connection, type ConnectionOwner, type Ending } from "./connection.ts";
import { Deadlines } from "./deadlines.ts";
import { closeSpread } from "./drain.ts";
import type { Settings } from "./options.ts";
import { connectionEstablished } from "./outgoing.ts";
import { closeCodes } from "./protocol.ts";
import type { App } from "./signature.ts";
import { newSocketId } from "./socket_id.ts";
import { StalledPeers } from "./stalled_peers.ts";

/** What the sockets tell of their connections. */
export interface SocketsListener {
  /** The app of a key, if there is one. */
  appOf(key: string): App | undefined;
  received(connection: Connection, data: unknown): void;
  /** Called once a connection that was open, and never for one that was refused. */
  released(connection: Connection, ending: Ending): void;
}

/** How long a drain waits for peers to answer the last closes. */
const closingPatienceMs = 500;

/** Every socket of a server: lets them in or refuses them, watches their lives, closes them all. */
export class Sockets {
  readonly connections = new Map<string, Connection>();
  /** Released here, but not closed by their peers yet. */
  readonly #closing = new Set<Connection>();
  readonly #unauthorized: Deadlines<Connection>;
  readonly #stalled: StalledPeers<Connection>;
  readonly #settings: Settings;
  readonly #listener: SocketsListener;
  readonly #owner: ConnectionOwner;
  #draining: Promise<void> | undefined;
  #vanished = () => {};

  constructor(settings: Settings, listener: SocketsListener) {
    this.#settings = settings;
    this.#listener = listener;
    this.#unauthorized = new Deadlines(settings.joinTimeoutMs, closeUnauthorized, settings.clock);
    this.#stalled = new StalledPeers(
      settings.idleTimeoutSeconds * 500,
      () => this.connections.values(),
      (connection) => connection.end(closeCodes.noPong, "Takes nothing"),
      settings.clock,
    );
    this.#owner = this.#ownerOfAdmitted();
  }

  get isDraining(): boolean {
    return this.#draining !== undefined;
  }

  /** Sockets that were closed here and whose peer has not closed yet. */
  get closing(): number {
    return this.#closing.size;
  }

  /** Connections that have to authorize in time. */
  get unauthorized(): number {
    return this.#unauthorized.size;
  }

  /** Answers a request for a socket; see {@link RealtimeServer.upgrade}. */
  upgrade(request: Request): Response {
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") return badRequest();
    if (this.connections.size + this.#closing.size >= 2 * this.#settings.maxConnections) {
      return new Response("Too many sockets\n", { status: 503 });
    }
    // The request can be read only as long as it is not upgraded.
    const decision = this.#refusalNow() ?? admission(request, {
      appOf: this.#listener.appOf,
      allowedOrigins: this.#settings.allowedOrigins,
    });
    const { socket, response } = this.#open(request);
    if (socket) this.#connect(socket, decision);
    return response;
  }

  #open(request: Request): { socket?: WebSocket; response: Response } {
    try {
      return Deno.upgradeWebSocket(request, { idleTimeout: this.#settings.idleTimeoutSeconds });
    } catch {
      return { response: badRequest() };
    }
  }

  #connect(socket: WebSocket, decision: App | Refusal): void {
    const id = newSocketId((taken) => this.connections.has(taken));
    if ("key" in decision) new Connection(id, decision, socket, this.#owner);
    else new Connection(id, this.#settings.app, socket, this.#ownerOfRefused(decision));
  }

  #refusalNow(): Refusal | undefined {
    // Not 4200: pusher-js would be back at once, again and again, for as long as the drain takes.
    if (this.isDraining) return { code: closeCodes.overCapacity, message: stopping };
    return this.connections.size >= this.#settings.maxConnections
      ? { code: closeCodes.overCapacity, message: "The server has no room for more connections" }
      : undefined;
  }

  #ownerOfAdmitted(): ConnectionOwner {
    return {
      ...this.#ownerOfAll(),
      opened: (connection) => this.#opened(connection),
      received: (connection, data) => this.#listener.received(connection, data),
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
    this.connections.set(connection.id, connection);
    if (joinTimeoutMs > 0) this.#unauthorized.add(connection);
    this.#stalled.start();
    connection.send(connectionEstablished(connection.id, activityTimeoutSeconds));
  }

  /** The connection joined what needs authorization: it has no deadline any more. */
  authorized(connection: Connection): void {
    this.#unauthorized.delete(connection);
  }

  #released(connection: Connection, ending: Ending): void {
    this.#closing.add(connection);
    if (!this.connections.delete(connection.id)) return;
    this.#unauthorized.delete(connection);
    if (this.connections.size === 0) this.#stalled.stop();
    this.#listener.released(connection, ending);
  }

  #failed(connection: Connection, error: unknown): void {
    const { log } = this.#settings;
    log({ level: "error", message: "A connection failed", socketId: connection.id, error });
    connection.end(closeCodes.overCapacity, "The server failed");
  }

  /** See {@link RealtimeServer.drain}. */
  drain(ms: number): Promise<void> {
    return this.#draining ??= this.#drain(ms);
  }

  async #drain(ms: number): Promise<void> {
    const close = (connection: Connection) => connection.end(closeCodes.reconnect, stopping);
    await closeSpread([...this.connections.values()], close, ms, this.#settings.clock);
    await this.#allVanished();
    this.#unauthorized.stop();
    this.#stalled.stop();
  }

  async #allVanished(): Promise<void> {
    if (this.#closing.size === 0) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#settings.clock.after(closingPatienceMs, resolve);
      this.#vanished = () => {
        if (this.#closing.size > 0) return;
        cancel();
        resolve();
      };
    });
  }
}

const stopping = "The server is stopping";

function closeUnauthorized(connection: Connection): void {
  connection.fail(closeCodes.notAuthorized, "Nothing was joined in time");
}

function badRequest(): Response {
  return new Response("A WebSocket upgrade is expected here\n", { status: 400 });
}
