import { join } from "node:path";
import { secretsInFolder } from "@/server/config/stored_secrets.ts";
import { startPostgres } from "../fixtures/postgres.ts";
import { sharedRedis } from "../fixtures/redis.ts";
import { reservePort } from "../fixtures/reserved_port.ts";
import { Rollcall } from "../fixtures/rollcall.ts";

/** A database and a part of a Redis, which servers of one installation share. */
export interface Backing {
  /** The settings of each server. */
  settings: { DATABASE_URL: string; REDIS_URL: string; REDIS_PREFIX: string };
  remove(): Promise<void>;
}

const backings = new Map<string, Backing>();

/**
 * The database and Redis of the installation with this data folder, which outlive a stop of its servers.
 * The secrets are in the data folder, where tests read them, before the servers copy them.
 */
export async function backingOf(dataFolder: string): Promise<Backing> {
  const known = backings.get(dataFolder);
  if (known) return known;
  await secretsInFolder(dataFolder);
  const [postgres, redis] = await Promise.all([startPostgres(), sharedRedis()]);
  const backing = {
    settings: {
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: redis.address,
      REDIS_PREFIX: `test-${crypto.randomUUID().slice(0, 8)}:`,
    },
    async remove() {
      if (!backings.delete(dataFolder)) return;
      await postgres.stop();
      await redis.stop();
    },
  };
  backings.set(dataFolder, backing);
  return backing;
}

/** Two servers of one installation, with a database and a Redis that end with them. */
export interface TwoServers extends AsyncDisposable {
  here: Rollcall;
  there: Rollcall;
}

/** Starts two servers at once, with these settings beside what they share. */
export async function startTwoServers(settings: Record<string, string>): Promise<TwoServers> {
  await using stack = new AsyncDisposableStack();
  const postgres = await startPostgres();
  stack.defer(() => postgres.stop());
  const redis = await sharedRedis();
  stack.defer(redis.stop);
  const environment = {
    ...settings,
    DATABASE_URL: await postgres.createDatabase(),
    REDIS_URL: redis.address,
    REDIS_PREFIX: `${crypto.randomUUID()}:`,
  };
  const [here, there] = await Promise.all([1, 2].map(() => Rollcall.start(environment)));
  stack.use(here);
  stack.use(there);
  const started = stack.move();
  return { here, there, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

/** Starts two workers with nothing beside them: each connection comes to either. */
export async function startTwoWorkers(settings: Record<string, string>): Promise<TwoServers> {
  const server = await Rollcall.start({
    ...settings,
    WORKERS: "2",
    PORT: String(await reservePort()),
  });
  await server.printed(/Started .*worker=2/);
  return {
    here: server,
    there: server,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The processes that a process has started, the oldest first. */
export function childrenOf(processId: number): number[] {
  const path = join("/proc", String(processId), "task", String(processId), "children");
  return Deno.readTextFileSync(path).trim().split(" ").filter(Boolean).map(Number);
}

/** The number of a worker among those of its supervisor; 0 is their coordinator, and -1 a process that has ended. */
export function roleOf(processId: number): number {
  try {
    const environment = Deno.readTextFileSync(join("/proc", String(processId), "environ"));
    const [, role = '{"number":-1}'] = /(?:^|\0)ROLLCALL_WORKER=([^\0]*)/.exec(environment) ?? [];
    return JSON.parse(role).number;
  } catch {
    return -1;
  }
}

/** Page tests that run on one server only, by file, and why. */
export const ofOneServer: Readonly<Record<string, string>> = {
  "tests/e2e/chromium/external_server_test.ts": "pages of one installation connect to another",
  "tests/e2e/chromium/large_channel_test.ts": "its crowd is in the process of the server",
  "tests/e2e/chromium/own_pages_test.ts": "it writes a page of its own into the program",
  "tests/e2e/chromium/secure_test.ts":
    "it serves https itself, and the proxy before two servers http",
  "tests/e2e/chromium/servers_test.ts": "its servers are fakes, or it starts two itself",
  "tests/e2e/chromium/workers_test.ts": "it starts workers itself",
  "tests/e2e/chromium/weight_test.ts": "files weigh the same from any server",
};
