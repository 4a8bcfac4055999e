import { serverNumberOf } from "@/realtime/protocol/socket_id.ts";
import { type OwnPostgres, startOwnPostgres } from "../../fixtures/postgres.ts";
import type { Bounds } from "../bounds.ts";
import { Link } from "./link.ts";
import { RedisPair } from "./redis_pair.ts";
import { Server } from "./server.ts";
import { ShiftedClock } from "./shifted_clock.ts";

/** The app that clients use. */
export const app = { id: "chaos", key: "key-of-the-chaos", secret: "secret-of-the-chaos-clients" };

/** The room whose joins and leaves the servers store. */
export const countedRoom = "presence-room-1";

/** Several servers with their Redis and PostgreSQL, each behind links of its own. */
export class Installation implements AsyncDisposable {
  readonly servers: Server[] = [];
  readonly clocks = new Map<Server, ShiftedClock>();
  readonly redis: RedisPair;
  readonly postgres: OwnPostgres;
  readonly #folder: string;
  readonly #bounds: Bounds;
  readonly #isShort: boolean;
  /** A server's process has ended that was not meant to. */
  onEnd: (server: Server, output: string) => void = () => {};

  private constructor(redis: RedisPair, postgres: OwnPostgres, folder: string, bounds: Bounds) {
    this.redis = redis;
    this.postgres = postgres;
    this.#folder = folder;
    this.#bounds = bounds;
    this.#isShort = bounds.leaseMs !== 10_000;
  }

  /**
   * @param count how many servers; their names are letters
   * @throws {ClockError} when their clocks cannot be shifted
   */
  static async start(count: number, bounds: Bounds): Promise<Installation> {
    const [redis, postgres] = await Promise.all([RedisPair.start(), startOwnPostgres()]);
    const folder = await Deno.makeTempDir({ prefix: "chaos-" });
    const installation = new Installation(redis, postgres, folder, bounds);
    try {
      // The first one alone, as it makes the tables.
      for (let index = 0; index < count; index++) await (await installation.place()).start();
      for (const server of installation.servers) {
        await installation.clocks.get(server)?.tryOut(server);
      }
      return installation;
    } catch (error) {
      await installation[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The servers to which clients can be sent. */
  get serving(): Server[] {
    return this.servers.filter(({ isServing }) => isServing);
  }

  /** Makes the place of another server, which is down. */
  async place(): Promise<Server> {
    const name = String.fromCharCode(65 + this.servers.length);
    const links = {
      clients: await Link.to(() => server.port),
      redis: await Link.to(() => this.redis.port),
      postgres: await Link.to(() => this.postgres.port),
    };
    const server: Server = new Server(name, links, {
      dataFolder: this.#folder,
      isShort: this.#isShort,
      environment: (server) => this.#environment(server),
      numberOf,
      onEnd: (server, output) => this.onEnd(server, output),
    });
    this.clocks.set(server, new ShiftedClock());
    this.servers.push(server);
    return server;
  }

  #environment(server: Server): Record<string, string> {
    const database = new URL(this.postgres.address);
    database.port = String(server.links.postgres.port);
    const { heartbeatMs, drainMs, graceMs, leaseMs } = this.#bounds;
    return {
      ...this.clocks.get(server)?.environment,
      APPS: JSON.stringify([app]),
      DATABASE_URL: database.href,
      REDIS_URL: `redis://127.0.0.1:${server.links.redis.port}`,
      COUNTED_CHANNELS: countedRoom,
      PRESENCE_GRACE_MS: String(graceMs),
      DRAIN_MS: String(drainMs),
      CLIENT_EVENTS: "true",
      CLIENT_EVENTS_PER_SECOND: "0",
      API_REQUESTS_PER_SECOND: "0",
      MAX_CONNECTIONS_PER_ADDRESS: "0",
      LOG_LEVEL: "warn",
      ...(this.#isShort &&
        { CHAOS_LEASE_MS: String(leaseMs), CHAOS_BEAT_MS: String(heartbeatMs) }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.onEnd = () => {};
    await Promise.allSettled(this.servers.map((server) => server.kill()));
    const links = this.servers.flatMap(({ links }) => Object.values(links));
    await Promise.allSettled(links.map((link: Link) => link[Symbol.asyncDispose]()));
    for (const clock of this.clocks.values()) clock[Symbol.dispose]();
    await Promise.allSettled([this.redis[Symbol.asyncDispose](), this.postgres.stop()]);
    await Deno.remove(this.#folder, { recursive: true });
  }
}

/** The first half of the ids of the sockets that a port opens. */
async function numberOf(port: number): Promise<string> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/app/${app.key}?protocol=7`);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  socket.onmessage = ({ data }) => {
    const { socket_id } = JSON.parse(JSON.parse(data).data);
    resolve(String(serverNumberOf(String(socket_id))));
  };
  socket.onerror = (event) => {
    event.preventDefault();
    reject(new Error("The server opened no socket"));
  };
  socket.onclose = () => reject(new Error("The server closed a socket"));
  try {
    return await promise;
  } finally {
    socket.onclose = null;
    socket.close();
  }
}
