import {
  type App,
  type AppConfig,
  type LogEntry,
  type OtherServers,
  type RealtimeOptions,
  RealtimeServer,
} from "@/realtime/server.ts";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { sizesOf } from "../fixtures/sizes.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";

export { until } from "../fixtures/eventually.ts";

/** How long a frame and the close may take on a busy machine, in milliseconds. */
const timeoutMs = 120_000;

/** The app of the vectors that Pusher publishes. */
export const app: AppConfig = {
  id: "1",
  key: "278d425bdf160c739803",
  secret: "7ad3773142a6692b25b8",
};

/** Deno's WebSocket, which accepts headers: the cast is there as the browser's types do not have them. */
export const SocketWithHeaders = WebSocket as unknown as new (
  url: string,
  options: { headers?: Record<string, string> },
) => WebSocket;

/** A frame as a client sees it; `data` that was a JSON string is parsed. */
export interface Received {
  event: string;
  channel?: string;
  // deno-lint-ignore no-explicit-any -- tests look into frames of every form
  data: any;
}

/** The options of a {@link Harness}; by default there is no leave grace. */
export interface HarnessOptions extends Partial<RealtimeOptions> {
  /** Rules of {@link app}. */
  rules?: Partial<AppConfig>;
  /** The servers beside this one. */
  others?: OtherServers;
}

/** A server that listens on its own port; disposing drains it. */
export class Harness implements AsyncDisposable {
  readonly realtime: RealtimeServer;
  /** The errors that the server logged. */
  readonly logged: LogEntry[] = [];
  readonly #listener: Deno.HttpServer<Deno.NetAddr>;
  readonly #clients: Client[] = [];

  constructor({ rules, others, ...options }: HarnessOptions = {}) {
    const log = (entry: LogEntry) => {
      if (entry.level === "error") this.logged.push(entry);
    };
    const apps = [{ ...app, ...rules }];
    this.realtime = new RealtimeServer({ apps, presenceGraceMs: 0, log, ...options }, others);
    this.#listener = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      (request, { remoteAddr }) => this.answer(request, remoteAddr.hostname),
    );
  }

  /** Answers a request to the port. */
  answer(request: Request, address?: string): Response | Promise<Response> {
    return this.realtime.upgrade(request, address);
  }

  get port(): number {
    return this.#listener.addr.port;
  }

  /** The first app of the server. */
  get app(): App {
    return this.realtime.apps[0];
  }

  /** The number of entries in memory, by what they are. */
  get sizes(): [name: string, size: number][] {
    return Object.entries(sizesOf(this.realtime.stats()));
  }

  /** Opens a socket without waiting. */
  open(path = `/app/${app.key}?protocol=7`, headers: Record<string, string> = {}): Client {
    const client = new Client(
      new SocketWithHeaders(`ws://127.0.0.1:${this.port}${path}`, { headers }),
    );
    this.#clients.push(client);
    return client;
  }

  /** Opens a socket and waits until it has its socket id. */
  async connect(key = app.key): Promise<Client> {
    const client = this.open(`/app/${key}?protocol=7`);
    client.socketId = (await client.next("pusher:connection_established")).data.socket_id;
    return client;
  }

  /** Opens a socket, joins a presence channel and waits for the member list. */
  async member(userId: string | number, channel = "presence-room"): Promise<Client> {
    const client = await this.connect();
    client.joinAs(userId, channel);
    await client.next("pusher_internal:subscription_succeeded");
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) client.close();
    await Promise.all(this.#clients.map((client) => client.closed));
    await this.realtime.drain(0);
    await this.#listener.shutdown();
  }
}

/** A bare client: it keeps frames in a queue and answers none. */
export class Client {
  socketId = "";
  readonly #closed: Promise<CloseEvent>;
  readonly #queue: Received[] = [];
  readonly #socket: WebSocket;
  #wake = () => {};

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      this.#queue.push(parsed(data));
      this.#wake();
    };
    socket.onerror = (event) => event.preventDefault();
    this.#closed = new Promise((resolve) => {
      socket.onclose = (event) => {
        resolve(event);
        this.#wake();
      };
    });
  }

  /** How the socket was closed; waits for it. */
  get closed(): Promise<CloseEvent> {
    return withTimeout(this.#closed, "the socket had closed", timeoutMs);
  }

  /** The next frame of this event; frames before it are dropped. Rejects when the socket closes first. */
  async next(event: string): Promise<Received> {
    while (true) {
      const frame = this.#queue.shift();
      if (frame?.event === event) return frame;
      if (frame) continue;
      if (this.#socket.readyState === WebSocket.CLOSED) throw new Error(`closed before ${event}`);
      await this.#more(event);
    }
  }

  /** Waits for a frame or the close. */
  async #more(event: string): Promise<void> {
    const more = new Promise<void>((resolve) => this.#wake = resolve);
    await withTimeout(more, `${event} had come`, timeoutMs);
  }

  /** Every frame that came before the answer to a ping that is sent now. */
  async settled(): Promise<Received[]> {
    this.send("pusher:ping", {});
    const frames: Received[] = [];
    while (true) {
      const frame = this.#queue.shift();
      if (frame?.event === "pusher:pong") return frames;
      if (frame) frames.push(frame);
      else if (this.#socket.readyState === WebSocket.CLOSED) throw new Error("closed");
      else await this.#more("pusher:pong");
    }
  }

  send(event: string, data: unknown): void {
    this.sendRaw(JSON.stringify({ event, data }));
  }

  sendRaw(data: string | Uint8Array<ArrayBuffer>): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(data);
  }

  subscribe(channel: string, auth?: string, channelData?: string): void {
    this.send("pusher:subscribe", { channel, auth, channel_data: channelData });
  }

  joinAs(userId: string | number, channel = "presence-room", info: unknown = { id: userId }): void {
    const channelData = JSON.stringify({ user_id: userId, user_info: info });
    this.subscribe(channel, signChannel(app, this.socketId, channel, channelData), channelData);
  }

  /** Joins and waits for the member list. */
  async joined(userId: string | number, channel = "presence-room"): Promise<Received> {
    this.joinAs(userId, channel);
    return await this.next("pusher_internal:subscription_succeeded");
  }

  /** Keeps no frame from now on. */
  discardMessages(): void {
    this.#socket.onmessage = null;
  }

  close(): void {
    this.#socket.close();
  }
}

function parsed(text: string): Received {
  const frame = JSON.parse(text);
  return typeof frame.data === "string" ? { ...frame, data: parsedData(frame.data) } : frame;
}

function parsedData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
