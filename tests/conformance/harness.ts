import { AsyncLocalStorage } from "node:async_hooks";
import PusherServer from "pusher";
import type { AppConfig } from "@/realtime/server.ts";
import type { WebhookEventName } from "@/realtime/app_config.ts";
import { until } from "../realtime/harness.ts";
import { Receiver, type WebhookEvent, withoutTimes } from "../realtime/webhooks/harness.ts";
import { BareClient, ObservedSocket } from "./bare_client.ts";
import { type ClientOptions, optionsOf, PusherClient } from "./pusher_client.ts";
import type { ServerOptions } from "./server.ts";
import { ServerProcess } from "./server_process.ts";

let apps = 0;

/** How many servers the rule is proved over that runs. */
export const serversOfRule = new AsyncLocalStorage<number>();

function startAlone(options: ServerOptions): Promise<ServerProcess> {
  const count = serversOfRule.getStore() ?? 1;
  // Each server counts its own sockets, so that several are full only when all are.
  const isForOne = options.maxConnections !== undefined;
  if (count === 1 || isForOne) return ServerProcess.start(options);
  return ServerProcess.startSeveral(count, options);
}

/** A server in its own process, whose apps can be changed. */
interface Server {
  readonly port: number;
  readonly isRunning: boolean;
  /** Of several servers: waits until each has received what the others sent it. */
  readonly settle?: () => Promise<void>;
  put(app: AppConfig): Promise<void>;
  delete(app: AppConfig): Promise<void>;
}

/** The official library, whose requests follow what servers sent each other before. */
class SettledLibrary extends PusherServer {
  readonly #settle: (() => Promise<void>) | undefined;

  constructor(options: PusherServer.Options, settle?: () => Promise<void>) {
    super(options);
    this.#settle = settle;
  }

  override async get(options: PusherServer.GetOptions): Promise<PusherServer.Response> {
    await this.#settle?.();
    return await super.get(options);
  }

  override async post(options: PusherServer.PostOptions): Promise<PusherServer.Response> {
    await this.#settle?.();
    return await super.post(options);
  }
}

/** An app for one rule on a running server, with the official libraries for it. */
export class AppHarness<S extends Server = Server> implements AsyncDisposable {
  readonly server: S;
  /** The requests for authorization that clients sent. */
  readonly authorized: string[] = [];
  readonly #clients: PusherClient[] = [];
  readonly #bare: BareClient[] = [];
  readonly #disposed = new AsyncDisposableStack();
  #app: AppConfig;

  private constructor(server: S, app: AppConfig) {
    this.server = server;
    this.#app = app;
  }

  /** Opens a new app on a server. */
  static async open<S extends Server>(
    server: S,
    rules: Partial<AppConfig> = {},
  ): Promise<AppHarness<S>> {
    const name = `app-${++apps}`;
    const app = { id: name, key: `key-of-${name}`, secret: crypto.randomUUID(), ...rules };
    await server.put(app);
    return new AppHarness<S>(server, app);
  }

  /**
   * Opens an app on its own server, with settings that no other rule needs; for rules over several servers, on as
   * many, each with these settings.
   */
  static async alone(
    options: ServerOptions,
    rules: Partial<AppConfig> = {},
  ): Promise<AppHarness<ServerProcess>> {
    const server = await startAlone(options);
    const harness = await AppHarness.open(server, rules);
    harness.#disposed.use(server);
    return harness;
  }

  /** The address of the server for HTTP. */
  get origin(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  get app(): Readonly<AppConfig> {
    return this.#app;
  }

  /** Changes the rules of the app, as a reload of the settings does. */
  async set(rules: Partial<AppConfig>): Promise<void> {
    this.#app = { ...this.#app, ...rules };
    await this.server.put(this.#app);
  }

  /** A pusher-js client that starts to connect. */
  client(options: ClientOptions = {}): PusherClient {
    const library = options.library ?? this.library();
    const authorizing = (channel: string) => this.authorized.push(channel);
    const settings = optionsOf(this.server.port, library, options, authorizing);
    const client = new PusherClient(options.key ?? this.#app.key, settings, this.server.settle);
    this.#clients.push(client);
    return client;
  }

  /** A pusher-js client that is connected. */
  async connected(options: ClientOptions = {}): Promise<PusherClient> {
    const client = this.client(options);
    await client.became("connected");
    return client;
  }

  /** A pusher-js client that is signed in and subscribed to the channel of its user. */
  async signedIn(options: ClientOptions = {}): Promise<PusherClient> {
    const client = await this.connected(options);
    const subscribed = client.subscribedAsUser();
    client.signin();
    await subscribed;
    return client;
  }

  /** A socket without a library, for frames that no library sends. It starts to connect. */
  socket(
    path = `/app/${this.#app.key}?protocol=7`,
    headers: Record<string, string> = {},
  ): BareClient {
    const url = `ws://127.0.0.1:${this.server.port}${path}`;
    const client = new BareClient(new ObservedSocket(url, headers), this.server.settle);
    this.#bare.push(client);
    return client;
  }

  /** A socket without a library that has its socket id. */
  async bare(): Promise<BareClient> {
    const client = this.socket();
    const { data } = await client.next("pusher:connection_established");
    client.socketId = data.socket_id;
    return client;
  }

  /** The official library for servers. */
  library(options: Partial<PusherServer.Options> = {}): PusherServer {
    const { id: appId, key, secret } = this.#app;
    const port = String(this.server.port);
    const host = "127.0.0.1";
    return new SettledLibrary({ appId, key, secret, host, port, ...options }, this.server.settle);
  }

  /** Disconnects every client and removes the app. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) client.disconnect();
    for (const client of this.#bare) client.close();
    const port = String(this.server.port);
    const mine = ObservedSocket.all.filter(({ url }) => new URL(url).port === port);
    await Promise.all(mine.map(({ closed }) => closed));
    const others = ObservedSocket.all.filter((socket) => !mine.includes(socket));
    ObservedSocket.all.splice(0, Infinity, ...others);
    if (this.server.isRunning) await this.server.delete(this.#app);
    await this.#disposed.disposeAsync();
  }
}

/** An app's own server, which receives webhooks and verifies them with the official library. */
export class HookReceiver extends Receiver {
  readonly #harness: AppHarness;

  constructor(harness: AppHarness) {
    super();
    this.#harness = harness;
  }

  /** Starts to receive the events of the harness's app. */
  static async of(harness: AppHarness, events?: WebhookEventName[]): Promise<HookReceiver> {
    const receiver = new HookReceiver(harness);
    await harness.set({ webhooks: [{ url: receiver.url, events }] });
    return receiver;
  }

  /** The events so far, in order and without their times; throws when the official library rejects a delivery. */
  get taken(): WebhookEvent[] {
    const library = this.#harness.library();
    return this.deliveries.flatMap((delivery) => withoutTimes(library.webhook(delivery)));
  }

  /** Waits until a number of events has come. */
  async heard(count: number): Promise<void> {
    await until(() => this.taken.length >= count);
  }
}
