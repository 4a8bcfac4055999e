import { strict as assert } from "node:assert";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { eventually, until } from "../../fixtures/eventually.ts";
import { AppClient } from "../../fixtures/member_sockets.ts";
import { moveInWithForms } from "../../fixtures/people.ts";
import { type PostgresServer, startPostgres } from "../../fixtures/postgres.ts";
import { sharedRedis } from "../../fixtures/redis.ts";
import { reservePort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { childrenOf, roleOf } from "../../installations/installation.ts";
import { serverNumberOf } from "@/realtime/protocol/socket_id.ts";
import type { PersonSnapshot } from "@/shared/person.ts";

const metricsToken = "a-token-of-the-tests-alone";

const room = "presence-chart";

const app = { id: "1", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };

// Other systems do not spread the connections of a port.
const ignore = Deno.build.os !== "linux";

describe("WORKERS=2 with Redis and PostgreSQL", { ignore }, () => {
  let postgres: PostgresServer;
  let redis: Awaited<ReturnType<typeof sharedRedis>>;
  beforeAll(async () => {
    postgres = await startPostgres();
    redis = await sharedRedis();
  });
  afterAll(async () => {
    await redis.stop();
    await postgres.stop();
  });

  workInPeace(async () => ({
    DATABASE_URL: await postgres.createDatabase(),
    REDIS_URL: redis.address,
    REDIS_PREFIX: `${crypto.randomUUID()}:`,
  }));
});

describe("WORKERS=2 with nothing beside it", { ignore }, () => {
  workInPeace(() => Promise.resolve({}));

  it("serves from a folder whose path is too long for a socket, and leaves no folder behind", async () => {
    const parent = await Deno.makeTempDir({ prefix: "rollcall-" });
    const temporary = join(parent, "temporary");
    const dataFolder = join(parent, "long".repeat(30));
    for (const folder of [temporary, dataFolder]) await Deno.mkdir(folder);
    const settings = { WORKERS: "2", PORT: String(await reservePort()), TMPDIR: temporary };
    const server = await Rollcall.start(settings, dataFolder);
    await server.printed(/Started .*worker=2/);
    const [folder] = [...Deno.readDirSync(temporary)].map(({ name }) => join(temporary, name));
    assert.equal((Deno.statSync(folder).mode ?? 0) & 0o777, 0o700);
    await assert.rejects(
      Rollcall.start({ ...settings, HOST: "127.0.0.1" }, join(parent, "other".repeat(30))),
      ({ message }) => message.includes(`PORT: "${settings.PORT}" is in use`),
    );
    assert.equal((await server.stop()).code, 0);
    assert.deepEqual([...Deno.readDirSync(temporary)], []);
    await Deno.remove(parent, { recursive: true });
  });

  it("serves also when it is started without the command line", async () => {
    const settings = { WORKERS: "2", PORT: String(await reservePort()), DRAIN_MS: "0" };
    await using server = await Rollcall.start(settings, undefined, "cli/serve.ts");
    await server.printed(/Started .*worker=2/);
    const up = await fetch(`${server.origin}/up`);
    assert.equal(await up.text(), "up\n");
    const roles = () => childrenOf(server.pid).map(roleOf).toSorted().join();
    await until(() => roles() === "0,0,1,2", "both workers, the coordinator and its standby ran");
  });

  it("says in one line why workers cannot meet, and ends", async () => {
    const dataFolder = await Deno.makeTempDir({ prefix: "rollcall-" });
    await Deno.mkdir(join(dataFolder, "workers.sock", "not a socket"), { recursive: true });
    const settings = { WORKERS: "2", PORT: String(await reservePort()) };
    await assert.rejects(Rollcall.start(settings, dataFolder), ({ message }) => {
      assert.match(message, /^The server ended with code 1:/);
      const lines = message.split("\n").filter((line: string) => line.startsWith("DATA_DIR: "));
      assert.equal(lines.length, 1, message);
      assert.match(lines[0], /^DATA_DIR: workers cannot meet at ".*workers\.sock" \(.*in use.*\)/);
      return true;
    });
    await Deno.remove(dataFolder, { recursive: true });
  });
});

/** The rules of workers, whatever they share their users in. */
function workInPeace(settings: () => Promise<Record<string, string>>): void {
  /** Starts a supervisor, and waits until both workers serve. */
  async function start(): Promise<Rollcall> {
    const server = await Rollcall.start({
      PUSHER_APP_ID: app.id,
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
      METRICS_TOKEN: metricsToken,
      ...await settings(),
      WORKERS: "2",
      PORT: String(await reservePort()),
      DRAIN_MS: "2000",
    });
    await server.printed(/Started .*worker=2/);
    return server;
  }

  it("serves with two processes, of which one prints the setup link of both", async () => {
    await using server = await start();
    const token = await server.setupToken();
    for (let request = 0; request < 20; request++) {
      const answer = await fetch(`${server.origin}/setup?token=${token}`, {
        headers: { connection: "close" },
      });
      await answer.body?.cancel();
      assert.equal(answer.status, 200);
    }
    assert.equal(server.log.match(/Rollcall is ready/g)?.length, 1);
    assert.equal(server.log.match(/setup\?token=/g)?.length, 1);
  });

  it("starts a worker again that was killed, and serves meanwhile", async () => {
    await using server = await start();
    const [one] = workersOf(server);
    Deno.kill(one, "SIGKILL");
    await server.printed(/A worker ended and is started again worker=\d code=137 signal=SIGKILL/);
    await until(() => server.log.match(/: Started /g)?.length === 3, "it was started again");
    assert.equal(workersOf(server).length, 2);
    assert.equal(server.log.match(/Rollcall is ready/g)?.length, 1);
  });

  it("reloads both, and stops both in peace, also when a unit sends them SIGTERM itself", async () => {
    const server = await start();
    server.signal("SIGHUP");
    await until(
      // Each also has the other reload them.
      () => (server.log.match(/Apps reloaded/g)?.length ?? 0) >= 2,
      "both workers had reloaded the apps",
    );
    // As many as make the stop of each worker take a while.
    await using members = new AsyncDisposableStack();
    for (let member = 0; member < 20; member++) {
      members.use(await AdmittedSocket.joinAs(server, app, `member-${member}`));
    }
    const workers = workersOf(server);
    server.signal("SIGTERM");
    await server.printed(/: Stopping [^]*: Stopping /);
    for (const pid of workers) Deno.kill(pid, "SIGTERM");
    assert.equal((await server.ended()).code, 0);
    assert.equal(server.log.match(/: Stopped /g)?.length, 2);
    await Deno.remove(server.dataFolder, { recursive: true });
  });

  it("stops when the supervisor was killed", async () => {
    await using server = await start();
    const all = childrenOf(server.pid);
    server.kill();
    await server.ended();
    assert.equal(server.log.match(/: Stopped /g)?.length, 2);
    await until(() => !all.some(isRunning), "all processes had ended");
  });

  it("has the metrics of both in one answer, whichever is asked", async () => {
    await using server = await start();
    await until(async () => {
      const text = await metricsOf(server);
      return [1, 2].every((worker) =>
        text.includes(`rollcall_uptime_seconds{worker="${worker}"} `)
      );
    }, "both had answered");
  });

  it("knows a person with a tab on each worker as active while any tab is", async () => {
    await using server = await start();
    const [admin] = await moveInWithForms(server);
    await using clients = new AsyncDisposableStack();
    const tabs = await tabsApart(server, clients);
    const report = (tab: AppClient, state: "active" | "idle") =>
      tab.send(room, "client-rollcall-activity", { state });
    /** Waits until the person's page knows the tabs, in order, and how many are active at each worker. */
    const isKnown = async (user: string, states: string[], active: number) => {
      await until(async () => {
        const { text } = await admin.get("/admin/people/ann/now");
        const { presence }: PersonSnapshot = JSON.parse(text);
        const known = presence?.tabs?.map(({ state }) => state).toSorted();
        if (String(known) !== String(states)) return false;
        assert.equal(presence?.activity?.state, user);
        return true;
      }, `the tabs were ${states}`);
      await until(async () => {
        const known = [
          ...(await metricsOf(server)).matchAll(/^rollcall_active_users\{.*\} (\d+)$/gm),
        ];
        return String(known.map(([, count]) => count)) === `${active},${active}`;
      }, `both workers knew ${active} active users`);
    };
    for (const tab of tabs) report(tab, "active");
    await isKnown("active", ["active", "active"], 1);
    report(tabs[0], "idle");
    await isKnown("active", ["active", "idle"], 1);
    report(tabs[1], "idle");
    await isKnown("idle", ["idle", "idle"], 0);
    report(tabs[0], "active");
    await isKnown("active", ["active", "idle"], 1);
  });
}

async function metricsOf({ origin }: Rollcall): Promise<string> {
  const answer = await fetch(`${origin}/metrics`, {
    headers: { authorization: `Bearer ${metricsToken}`, connection: "close" },
  });
  return await answer.text();
}

/** Two tabs of a user, each connected to another worker. */
async function tabsApart(
  server: Rollcall,
  clients: AsyncDisposableStack,
): Promise<[AppClient, AppClient]> {
  const workerOf = ({ client }: AppClient) => serverNumberOf(client.socketId);
  const connect = async () => clients.use(await AppClient.connect(server, app));
  const first = await connect();
  const second = await eventually(async () => {
    const other = await connect();
    return workerOf(other) === workerOf(first) ? undefined : other;
  }, "a client was connected to the other worker");
  for (const tab of [first, second]) await tab.join(room, { user_id: "ann", user_info: {} });
  return [first, second];
}

/** The workers that a supervisor has started. */
function workersOf({ pid }: Rollcall): number[] {
  return childrenOf(pid).filter((child) => roleOf(child) > 0);
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}
