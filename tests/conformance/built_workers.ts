import { serverNumberOf } from "@/realtime/protocol/socket_id.ts";
import { eventually, until } from "../fixtures/eventually.ts";
import { reservePort } from "../fixtures/reserved_port.ts";
import { Client } from "../realtime/harness.ts";
import { BuiltServer, channelsOfObserver } from "./built_server.ts";

/** Worker processes of the built app on one port, with nothing beside them. */
export class BuiltWorkers implements AsyncDisposable {
  readonly #server: BuiltServer;
  readonly #count: number;
  /** A socket at each worker. */
  readonly #observers: Client[] = [];
  #channels = 0;
  #settled = Promise.resolve();

  private constructor(server: BuiltServer, count: number) {
    this.#server = server;
    this.#count = count;
  }

  /** Starts processes with settings and waits until all listen. */
  static async start(environment: Record<string, string>, count: number): Promise<BuiltWorkers> {
    const server = await BuiltServer.start({
      ...environment,
      WORKERS: String(count),
      PORT: String(await reservePort()),
    });
    await until(() => server.log.match(/: Started /g)?.length === count, "all workers had started");
    return new BuiltWorkers(server, count);
  }

  get port(): number {
    return this.#server.port;
  }

  get origin(): string {
    return this.#server.origin;
  }

  get log(): string {
    return this.#server.log;
  }

  /** Makes them read their apps again. */
  reload(): void {
    this.#server.reload();
  }

  /** Whether all workers serve an app: the system gives each connection to any of them. */
  async serves(app: { key: string }): Promise<boolean> {
    const serving = new Set<number>();
    for (let attempts = 0; attempts < 10 * this.#count; attempts++) {
      const client = await this.#connect(app.key);
      if (!client) return false;
      serving.add(serverNumberOf(client.socketId));
      client.close();
      await client.closed;
      if (serving.size === this.#count) return true;
    }
    return false;
  }

  /**
   * Waits until each worker has received what others sent it before; see `BuiltServer.settle`.
   *
   * @param key of an app whose channels no test counts.
   */
  settle(key: string): Promise<void> {
    return this.#settled = this.#settled.then(async () => {
      await this.#observe(key);
      await Promise.all(this.#observers.map((observer) => opensChannel(observer)));
    });
  }

  async #observe(key: string): Promise<void> {
    if (this.#channels++ % channelsOfObserver > 0) return;
    await this.#endObservers();
    const byWorker = new Map<number, Client>();
    await eventually(async () => {
      const client = await this.#connect(key);
      if (!client) return undefined;
      const number = serverNumberOf(client.socketId);
      if (byWorker.has(number)) client.close();
      else byWorker.set(number, client);
      return byWorker.size === this.#count || undefined;
    }, "a socket was at each worker");
    this.#observers.push(...byWorker.values());
  }

  /** @returns undefined when the worker does not serve the app */
  async #connect(key: string): Promise<Client | undefined> {
    const client = new Client(new WebSocket(`ws://127.0.0.1:${this.port}/app/${key}?protocol=7`));
    try {
      client.socketId = (await client.next("pusher:connection_established")).data.socket_id;
      return client;
    } catch {
      return undefined;
    }
  }

  async #endObservers(): Promise<void> {
    const observers = this.#observers.splice(0);
    for (const observer of observers) observer.close();
    await Promise.all(observers.map(({ closed }) => closed));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endObservers();
    await this.#server[Symbol.asyncDispose]();
  }
}

async function opensChannel(observer: Client): Promise<void> {
  const channel = `settled-${crypto.randomUUID()}`;
  observer.subscribe(channel);
  await observer.next("pusher_internal:subscription_succeeded");
  observer.send("pusher:unsubscribe", { channel });
}
