import type { PostgresServer } from "@/tests/fixtures/postgres.ts";
import { type RedisServer, startRedis } from "@/tests/fixtures/redis.ts";
import { reservePort } from "@/tests/fixtures/reserved_port.ts";
import { Rollcall } from "@/tests/fixtures/rollcall.ts";
import { app } from "../bench_app.ts";
import type { Figure, Pair } from "../measurement.ts";

/** What an installation consists of, besides a database. */
export interface InstallationKind {
  servers: number;
  redis: boolean;
  /** Processes of each server that share its port. */
  workers?: number;
}

/** Servers of the built app with a Redis and a database of their own; disposing ends all. */
export class Installation implements AsyncDisposable {
  readonly servers: Rollcall[] = [];
  readonly ports: number[] = [];
  readonly #redis: RedisServer | undefined;

  private constructor(redis: RedisServer | undefined) {
    this.#redis = redis;
  }

  static async start(kind: InstallationKind, postgres: PostgresServer): Promise<Installation> {
    const { redis, servers, workers = 1 } = kind;
    const environment = {
      ...settings,
      DATABASE_URL: await postgres.createDatabase(),
      WORKERS: String(workers),
    };
    const installation = new Installation(redis ? await startRedis() : undefined);
    try {
      // One after the other, as the first one makes the tables.
      for (let count = 0; count < servers; count++) {
        await installation.#add(environment, workers);
      }
      return installation;
    } catch (error) {
      await installation[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #add(environment: Record<string, string>, workers: number): Promise<void> {
    const server = await Rollcall.start({
      ...environment,
      ...this.#redis && { REDIS_URL: this.#redis.address },
      // The workers of a server cannot choose a port each.
      ...workers > 1 && { PORT: String(await reservePort()) },
    });
    this.servers.push(server);
    this.ports.push(Number(new URL(server.origin).port));
  }

  /** Microseconds of CPU time that all servers used so far. */
  async cpu(): Promise<number> {
    const all = await Promise.all(this.servers.map(({ pid }) => cpuTimeOf(pid)));
    return all.reduce((sum, cpu) => sum + cpu, 0);
  }

  /** Microseconds of CPU time that Redis used so far; 0 without Redis. */
  async redisCpu(): Promise<number> {
    const info = await this.#redis?.command("INFO", "cpu") ?? "";
    const seconds = info.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm).map(([, text]) => +text);
    return seconds.reduce((sum, one) => sum + one, 0) * 1e6;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.servers) server.kill();
    await Promise.all(this.servers.map((server) => server[Symbol.asyncDispose]()));
    await this.#redis?.stop();
  }
}

const settings = {
  APPS: JSON.stringify([{ ...app, max_messages_per_second: 0 }]),
  CLIENT_EVENTS: "true",
  CLIENT_EVENTS_PER_SECOND: "0",
  API_REQUESTS_PER_SECOND: "0",
  MAX_CONNECTIONS_PER_ADDRESS: "0",
  PRESENCE_GRACE_MS: "0",
  DRAIN_MS: "0",
  LOG_LEVEL: "warn",
};

/**
 * Microseconds of CPU time that the threads of a process and of its children used so far. Linux has
 * nanoseconds of each thread that lives, and only hundredths of a second of the whole process.
 */
export async function cpuTimeOf(pid: number): Promise<number> {
  const tasks = `/proc/${pid}/task`;
  let nanoseconds = 0;
  for await (const { name } of Deno.readDir(tasks)) {
    nanoseconds += Number((await read(`${tasks}/${name}/schedstat`)).split(" ")[0]);
  }
  const children = (await read(`${tasks}/${pid}/children`)).split(" ").filter(Boolean);
  const ofChildren = await Promise.all(children.map((child) => cpuTimeOf(Number(child))));
  return ofChildren.reduce((sum, cpu) => sum + cpu, nanoseconds / 1_000);
}

/** The text of a file; of a thread that has ended meanwhile, an empty one. */
async function read(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch {
    return "";
  }
}

/** Figures by their names. */
export type Figures = Record<string, number>;

/** Comparisons that are made with the same servers. */
export interface Part {
  name: string;
  comparisons: { name: string; figures: Record<string, Figure> }[];
  /** Makes them with new servers. Resolves with the pairs of each. */
  round(postgres: PostgresServer): Promise<Pair[][]>;
}
