import { Addresses } from "./addresses.ts";
import { admission, type Refusal } from "./admission.ts";
import { SendBuffer } from "./send_buffer.ts";
import { Connection, type ConnectionListener, type Ending } from "./connection.ts";
import { closeSpread } from "./drain.ts";
import type { Settings } from "../options.ts";
import { connectionEstablished } from "../protocol/outgoing.ts";
import { closeCodes } from "../protocol/protocol.ts";
import type { App } from "../app.ts";
import type { LimitName } from "./refusals.ts";
import { newSocketId } from "../protocol/socket_id.ts";
import { StalledPeers } from "./stalled_peers.ts";

/** What the sockets ask and tell. Joining and leaving they tell the app of a connection itself. */
export interface SocketsListener {
  /** The app of a key, if there is one. */
  appOf(key: string): App | undefined;
  received(connection: Connection, data: unknown): void;
  /** A limit was passed: somebody was refused or closed. */
  passed(limit: LimitName, connection?: Connection): void;
}

/** How long a drain waits for peers to answer the last closes. */
const closingPatienceMs = 500;

/** Every socket of a server: lets them in or refuses them, watches their lives, closes them all. */
export class Sockets {
  readonly connections = new Map<string, Connection>();
  /** Released here, but not closed by their peers yet. */
  readonly #closing = new Set<Connection>();
  readonly #stalled: StalledPeers<Connection>;
  readonly #settings: Settings;
  readonly #listener: SocketsListener;
  readonly #owner: ConnectionListener;
  readonly #addresses = new Addresses();
  readonly #sendBuffer: SendBuffer<Connection>;
  #draining: Promise<void> | undefined;
  #vanished = () => {};

  constructor(settings: Settings, listener: SocketsListener) {
    this.#settings = settings;
    this.#listener = listener;
    this.#stalled = new StalledPeers(
      settings.idleTimeoutSeconds * 500,
      () => this.connections.values(),
      (connection) => connection.end(closeCodes.noPong, "Takes nothing", "timed out"),
      settings.clock,
    );
    this.#sendBuffer = new SendBuffer(
      settings.maxTotalBufferedBytes,
      () => this.connections.values(),
      (connection) => connection.giveUp("unreadBytesInTotal"),
      settings.clock,
    );
    this.#owner = this.#ownerOfAdmitted();
  }

  get isDraining(): boolean {
    return this.#draining !== undefined;
  }

  /** How much is kept. */
  stats() {
    return {
      /** Open sockets of all apps. */
      sockets: this.connections.size,
      /** Sockets that were closed here and whose peer has not closed yet. */
      closing: this.#closing.size,
      /** Remote addresses with connections. */
      addresses: this.#addresses.size,
      /** Connections that had unread bytes when last looked at. */
      suspects: this.#stalled.size,
    };
  }

  /** Answers a request for a socket; see {@link RealtimeServer.upgrade}. */
  upgrade(request: Request, address?: string): Response {
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") return badRequest();
    if (this.connections.size + this.#closing.size >= 2 * this.#settings.maxConnections) {
      this.#listener.passed("sockets");
      return new Response("Too many sockets\n", { status: 503 });
    }
    // The request can be read only as long as it is not upgraded.
    const decision = this.#refusalNow(address) ?? admission(request, this.#listener.appOf);
    const { socket, response } = this.#open(request);
    if (socket) this.#connect(socket, decision, address);
    return response;
  }

  #open(request: Request): { socket?: WebSocket; response: Response } {
    try {
      return Deno.upgradeWebSocket(request, { idleTimeout: this.#settings.idleTimeoutSeconds });
    } catch {
      return { response: badRequest() };
    }
  }

  #connect(socket: WebSocket, decision: App | Refusal, address?: string): void {
    const id = newSocketId((taken) => this.connections.has(taken));
    if ("code" in decision) new Connection(id, undefined, socket, this.#ownerOfRefused(decision));
    else new Connection(id, decision, socket, this.#owner, address);
  }

  #refusalNow(address: string | undefined): Refusal | undefined {
    // Not 4200: pusher-js would be back at once, again and again, for as long as the drain takes.
    if (this.isDraining) return { code: closeCodes.overCapacity, message: stopping };
    const { maxConnections, maxConnectionsPerAddress } = this.#settings;
    if (this.connections.size >= maxConnections) {
      const message = "The server has no room for more connections";
      return { code: closeCodes.overCapacity, message, limit: "connections" };
    }
    if (this.#addresses.hasRoomFor(address, maxConnectionsPerAddress)) return undefined;
    const message = `An address may have ${maxConnectionsPerAddress} connections`;
    return { code: closeCodes.overCapacity, message, limit: "connectionsOfAddress" };
  }

  #refuse(connection: Connection, { code, message, limit }: Refusal): void {
    if (limit) this.#listener.passed(limit, connection);
    connection.fail(code, message);
  }

  #ownerOfAdmitted(): ConnectionListener {
    return {
      ...this.#ownerOfAll(),
      opened: (connection) => this.#opened(connection),
      received: (connection, data) => this.#listener.received(connection, data),
      released: (connection, ending) => this.#released(connection, ending),
    };
  }

  #ownerOfRefused(refusal: Refusal): ConnectionListener {
    return {
      ...this.#ownerOfAll(),
      opened: (connection) => this.#refuse(connection, refusal),
      received: () => {},
      released: (connection) => this.#closing.add(connection),
    };
  }

  #ownerOfAll() {
    const { maxBufferedBytes, maxErrors } = this.#settings;
    return {
      maxBufferedBytes,
      maxErrors,
      sendBuffer: this.#sendBuffer,
      passed: (limit: LimitName, connection: Connection) =>
        this.#listener.passed(limit, connection),
      vanished: (connection: Connection) => {
        this.#closing.delete(connection);
        this.#vanished();
      },
      failed: (connection: Connection, error: unknown) => this.#failed(connection, error),
    };
  }

  #opened(connection: Connection): void {
    const refusal = this.#refusalNow(connection.address) ?? connection.app?.refusal();
    if (refusal) return this.#refuse(connection, refusal);
    this.connections.set(connection.id, connection);
    connection.heardAt = this.#settings.clock.now();
    this.#addresses.add(connection.address);
    connection.app?.opened(connection);
    this.#stalled.start();
    const { activityTimeoutSeconds } = this.#settings;
    connection.send(connectionEstablished(connection.id, activityTimeoutSeconds));
  }

  #released(connection: Connection, ending: Ending): void {
    this.#closing.add(connection);
    if (!this.connections.delete(connection.id)) return;
    this.#addresses.delete(connection.address);
    if (this.connections.size === 0) this.#stalled.stop();
    connection.app?.released(connection, ending);
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
    this.#sendBuffer.stop();
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

function badRequest(): Response {
  return new Response("A WebSocket upgrade is expected here\n", { status: 400 });
}
