import { roleEnvironment } from "@/server/config/worker_role.ts";
import { serverNumberOf } from "@/realtime/protocol/socket_id.ts";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqlitePath } from "@/server/database/sqlite_dialect.ts";
import { type OwnPostgres, startOwnPostgres } from "../../fixtures/postgres.ts";
import { ask } from "../../fixtures/database_contents.ts";
import type { Bounds } from "../bounds.ts";
import type { ChaosOptions } from "../chaos.ts";
import { CoordinatorPlace } from "./coordinator_place.ts";
import { Link } from "./link.ts";
import { RedisPair } from "./redis_pair.ts";
import { Server } from "./server.ts";
import { ShiftedClock } from "./shifted_clock.ts";

/** The app that clients use. */
export const app = { id: "chaos", key: "key-of-the-chaos", secret: "secret-of-the-chaos-clients" };

/** The room whose joins and leaves the servers store. */
export const countedRoom = "presence-room-1";

/** What servers share their users in, and where they store: Redis and PostgreSQL, or as workers of one machine. */
export interface Backing extends AsyncDisposable {
  /** What servers share their users in. */
  readonly shared: RedisPair | CoordinatorPlace;
  readonly redis?: RedisPair;
  readonly postgres?: OwnPostgres;
}

/** Several servers with what they share, each behind links of its own. */
export class Installation implements AsyncDisposable {
  readonly servers: Server[] = [];
  readonly clocks = new Map<Server, ShiftedClock>();
  readonly #backing: Backing;
  readonly #folder: string;
  readonly #bounds: Bounds;
  readonly #isShort: boolean;
  /** A server's process has ended that was not meant to. */
  onEnd: (server: Server, output: string) => void = () => {};

  private constructor(backing: Backing, folder: string, bounds: Bounds) {
    this.#backing = backing;
    this.#folder = folder;
    this.#bounds = bounds;
    this.#isShort = bounds.leaseMs !== 10_000;
  }

  /**
   * @param count how many servers; their names are letters
   * @param options whether they are workers of one machine without Redis, whose supervisor this process is; or the
   * folder of an older release, of which the first half of the servers is
   * @throws {ClockError} when their clocks cannot be shifted
   */
  static async start(
    count: number,
    bounds: Bounds,
    { areWorkers = false, olderRelease }: Pick<ChaosOptions, "areWorkers" | "olderRelease">,
  ): Promise<Installation> {
    const folder = await Deno.makeTempDir({ prefix: "chaos-" });
    const backing = areWorkers ? await workersIn(folder, bounds) : await redisAndPostgres();
    const installation = new Installation(backing, folder, bounds);
    try {
      // The first one alone, as it makes the tables; those of the older release first, as it cannot read later ones.
      for (let index = 0; index < count; index++) {
        const isOlder = index < Math.floor(count / 2);
        await (await installation.place(isOlder ? olderRelease : undefined)).start();
      }
      // Workers have the clock of their machine.
      if (areWorkers) return installation;
      for (const server of installation.servers) {
        await installation.clocks.get(server)?.tryOut(server);
      }
      return installation;
    } catch (error) {
      await installation[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** What servers share their users in. */
  get shared(): Backing["shared"] {
    return this.#backing.shared;
  }

  get redis(): RedisPair {
    if (!this.#backing.redis) throw new Error("Workers have no Redis");
    return this.#backing.redis;
  }

  get postgres(): OwnPostgres {
    if (!this.#backing.postgres) throw new Error("Workers have no PostgreSQL");
    return this.#backing.postgres;
  }

  /** Rows that a query selects in the database; its names are quoted as both engines take them. */
  async stored(query: string): Promise<unknown[]> {
    const { postgres } = this.#backing;
    if (postgres) return await ask(postgres.address, query);
    using database = new DatabaseSync(sqlitePath(this.#folder), {
      readOnly: true,
      timeout: 60_000,
    });
    return database.prepare(query).all();
  }

  /** The servers to which clients can be sent. */
  get serving(): Server[] {
    return this.servers.filter(({ isServing }) => isServing);
  }

  /** Makes the place of another server, which is down. @param olderRelease as {@link start} has it */
  async place(olderRelease?: string): Promise<Server> {
    const name = String.fromCharCode(65 + this.servers.length);
    const { postgres, redis, shared } = this.#backing;
    const links = {
      clients: await Link.to(() => server.port),
      redis: "socketPath" in shared
        ? await Link.at(this.#socketPathOf(name), () => shared.socketPath)
        : await Link.to(() => redis?.port),
      postgres: await Link.to(() => postgres?.port),
    };
    const server: Server = new Server(name, links, {
      dataFolder: this.#folder,
      isShort: this.#isShort,
      isWorker: this.#isOfWorkers,
      olderRelease,
      environment: (server) => this.#environment(server),
      numberOf,
      onEnd: (server, output) => this.onEnd(server, output),
    });
    this.clocks.set(server, new ShiftedClock());
    this.servers.push(server);
    return server;
  }

  get #isOfWorkers(): boolean {
    return this.#backing.redis === undefined;
  }

  #socketPathOf(name: string): string {
    return join(this.#folder, `${name}.sock`);
  }

  /** Where a server finds what it shares. */
  #placesOf({ links, name }: Server): Record<string, string> {
    if (this.#isOfWorkers) {
      const number = name.charCodeAt(0) - 64;
      const socketPath = this.#socketPathOf(name);
      return roleEnvironment({ ...supervisor, number, announces: true, socketPath });
    }
    const database = new URL(this.postgres.address);
    database.port = String(links.postgres.port);
    return {
      DATABASE_URL: database.href,
      REDIS_URL: `redis://127.0.0.1:${links.redis.port}`,
    };
  }

  #environment(server: Server): Record<string, string> {
    const { heartbeatMs, drainMs, graceMs, leaseMs } = this.#bounds;
    return {
      ...this.clocks.get(server)?.environment,
      APPS: JSON.stringify([app]),
      ...this.#placesOf(server),
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
    await this.#backing[Symbol.asyncDispose]();
    await Deno.remove(this.#folder, { recursive: true });
  }
}

/** No worker has this process as its parent, so none reports to it that it is ready. */
const supervisor = { supervisor: 2 ** 31 - 1, group: crypto.randomUUID() };

async function redisAndPostgres(): Promise<Backing> {
  const [redis, postgres] = await Promise.all([RedisPair.start(), startOwnPostgres()]);
  return {
    shared: redis,
    redis,
    postgres,
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([redis[Symbol.asyncDispose](), postgres.stop()]);
    },
  };
}

async function workersIn(folder: string, { leaseMs }: Bounds): Promise<Backing> {
  const shared = await CoordinatorPlace.start(folder, leaseMs);
  return { shared, [Symbol.asyncDispose]: () => shared[Symbol.asyncDispose]() };
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
