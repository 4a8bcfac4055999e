import type { AppConfig } from "@/realtime/server.ts";
import { Cable } from "../fixtures/cable.ts";
import { until } from "../fixtures/eventually.ts";
import { HttpVisitor } from "../fixtures/http_visitor.ts";
import { ada } from "../fixtures/people.ts";
import { startPostgres } from "../fixtures/postgres.ts";
import { sharedRedis } from "../fixtures/redis.ts";
import { BuiltServer } from "./built_server.ts";
import { BuiltWorkers } from "./built_workers.ts";

/** The app of Rollcall's own pages; it cannot be removed. */
const own: AppConfig = { id: "own", key: "key-of-the-pages", secret: crypto.randomUUID() };

/** The built app: one process, or several that share their users. It reads its apps from a file. */
export class BuiltApp implements AsyncDisposable {
  readonly #apps = new Map<string, AppConfig>();
  readonly #appsPath = Deno.makeTempFileSync({ prefix: "apps-", suffix: ".json" });
  readonly #disposed = new AsyncDisposableStack();
  /** The app of Rollcall's own pages. */
  readonly own = own;
  readonly isRunning = true;
  #servers: (BuiltServer | BuiltWorkers)[] = [];
  #visitor: Promise<HttpVisitor> | undefined;
  port = 0;
  /** Of several servers: waits until each has received what the others sent it. */
  settle: (() => Promise<void>) | undefined;

  private constructor() {
    this.#writeApps();
    this.#disposed.defer(() => Deno.remove(this.#appsPath));
  }

  /** Starts one server with no leave grace, so that every departure shows at once. */
  static async start(): Promise<BuiltApp> {
    const app = new BuiltApp();
    await app.#start(1, {});
    app.port = app.#servers[0].port;
    return app;
  }

  /** Starts several of them, at the same time, behind a proxy that gives them connections in turn. */
  static async startSeveral(count: number): Promise<BuiltApp> {
    const app = new BuiltApp();
    const [redis, postgres] = await Promise.all([sharedRedis(), startPostgres()]);
    app.#disposed.defer(redis.stop);
    app.#disposed.defer(postgres.stop);
    await app.#start(count, {
      REDIS_URL: redis.address,
      REDIS_PREFIX: `${crypto.randomUUID()}:`,
      DATABASE_URL: await postgres.createDatabase(),
    });
    const proxy = await Cable.to(...app.#servers.map(({ origin }) => origin));
    app.#disposed.use(proxy);
    app.port = Number(new URL(proxy.origin).port);
    app.settle = async () =>
      void await Promise.all(app.#servers.map((server) => server.settle(own.key)));
    return app;
  }

  /** Starts one with several worker processes, and nothing beside them. */
  static async startWorkers(count: number): Promise<BuiltApp> {
    const app = new BuiltApp();
    const workers = await BuiltWorkers.start(app.#settings, count);
    app.#own([workers]);
    app.port = workers.port;
    app.settle = () => workers.settle(own.key);
    return app;
  }

  get #settings(): Record<string, string> {
    return { PRESENCE_GRACE_MS: "0", DRAIN_MS: "0", APPS_FILE: this.#appsPath };
  }

  async #start(count: number, environment: Record<string, string>): Promise<void> {
    const settings = { ...this.#settings, ...environment };
    const starting = Array.from({ length: count }, () => BuiltServer.start(settings));
    this.#own(await Promise.all(starting));
  }

  #own(servers: (BuiltServer | BuiltWorkers)[]): void {
    this.#servers = servers;
    this.#disposed.defer(async () => {
      await Promise.all(this.#servers.map((server) => server[Symbol.asyncDispose]()));
    });
  }

  /** The number of servers. */
  get size(): number {
    return this.#servers.length;
  }

  /** The address of the pages. */
  get origin(): string {
    return `http://localhost:${this.port}`;
  }

  /** A user who is signed in to Rollcall. */
  visitor(): Promise<HttpVisitor> {
    return this.#visitor ??= this.#signIn();
  }

  async #signIn(): Promise<HttpVisitor> {
    const link = /\/setup\?token=(\S+)/;
    await until(() => link.test(this.log));
    const visitor = new HttpVisitor(this.origin);
    await visitor.setUp(link.exec(this.log)?.[1] ?? "", ada);
    // Once the users of the rules' apps have come, an admin only watches by default.
    await visitor.submit("/admin/online/counted", { counted: "yes" });
    return visitor;
  }

  /** The output of the servers so far. */
  get log(): string {
    return this.#servers.map(({ log }) => log).join("\n");
  }

  /** Serves an app; one with the same id keeps its connections and gets the new rules. */
  async put(app: AppConfig): Promise<void> {
    this.#apps.set(app.id, app);
    await this.#reload();
  }

  /** Stops serving an app: its connections are closed. */
  async delete(app: AppConfig): Promise<void> {
    this.#apps.delete(app.id);
    await this.#reload();
  }

  /**
   * Each list ends with an app that no list had before: once that is served, all of them are. One server
   * gets the signal, and makes the others read the file, too.
   */
  async #reload(): Promise<void> {
    const last = { id: crypto.randomUUID(), key: crypto.randomUUID(), secret: crypto.randomUUID() };
    this.#writeApps(last);
    this.#servers[0].reload();
    const isServed = async () => {
      const served = await Promise.all(this.#servers.map((server) => server.serves(last)));
      return served.every(Boolean);
    };
    await until(isServed, "the list of apps was read again").catch((error) => {
      throw new Error(`${error.message}:\n${this.log}`);
    });
  }

  #writeApps(...last: AppConfig[]): void {
    const apps = [own, ...this.#apps.values(), ...last].map(listedApp);
    Deno.writeTextFileSync(this.#appsPath, JSON.stringify(apps));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#disposed.disposeAsync();
  }
}

/** The app with its rules as a list of apps names them. */
export function listedApp(app: AppConfig): Record<string, unknown> {
  return {
    id: app.id,
    key: app.key,
    secret: app.secret,
    enabled: app.enabled,
    allowed_origins: app.allowedOrigins,
    join_timeout_ms: app.joinTimeoutMs,
    max_connections: app.maxConnections,
    max_presence_members_per_channel: app.presenceMaxMembers,
    max_full_members_per_channel: app.presenceMaxFullMembers,
    quiet_channels: app.quietChannels,
    max_presence_member_size_in_kb: inKilobytes(app.presenceMaxInfoBytes),
    max_event_payload_in_kb: inKilobytes(app.maxEventBytes),
    enable_client_messages: app.clientEvents,
    max_client_events_per_second: app.clientEventsPerSecond,
    max_api_requests_per_second: app.maxApiRequestsPerSecond,
    subscription_count: app.subscriptionCount,
    watchlist: app.watchlist,
    webhooks: app.webhooks?.map(({ url, events }) => ({ url, event_types: events })),
  };
}

function inKilobytes(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : bytes / 1_024;
}
