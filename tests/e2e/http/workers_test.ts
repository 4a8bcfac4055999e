import { strict as assert } from "node:assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { until } from "../../fixtures/eventually.ts";
import { type PostgresServer, startPostgres } from "../../fixtures/postgres.ts";
import { sharedRedis } from "../../fixtures/redis.ts";
import { reservePort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const app = { id: "1", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };

// Other systems do not spread the connections of a port.
describe("WORKERS=2", { ignore: Deno.build.os !== "linux" }, () => {
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

  /** Starts a supervisor, and waits until both workers serve. */
  async function start(): Promise<Rollcall> {
    const server = await Rollcall.start({
      PUSHER_APP_ID: app.id,
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: redis.address,
      REDIS_PREFIX: `${crypto.randomUUID()}:`,
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
    const [one] = await workersOf(server);
    Deno.kill(one, "SIGKILL");
    await server.printed(/A worker ended and is started again worker=\d code=137 signal=SIGKILL/);
    await until(() => server.log.match(/: Started /g)?.length === 3, "it was started again");
    assert.equal((await workersOf(server)).length, 2);
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
    const workers = await workersOf(server);
    server.signal("SIGTERM");
    await server.printed(/: Stopping [^]*: Stopping /);
    for (const pid of workers) Deno.kill(pid, "SIGTERM");
    assert.equal((await server.ended()).code, 0);
    assert.equal(server.log.match(/: Stopped /g)?.length, 2);
    await Deno.remove(server.dataFolder, { recursive: true });
  });

  it("stops when the supervisor was killed", async () => {
    await using server = await start();
    const workers = await workersOf(server);
    server.kill();
    await server.ended();
    assert.equal(server.log.match(/: Stopped /g)?.length, 2);
    await until(() => workers.every((pid) => !isRunning(pid)), "both workers had ended");
  });
});

/** The processes that a supervisor has started. */
async function workersOf({ pid }: Rollcall): Promise<number[]> {
  const children = await Deno.readTextFile(`/proc/${pid}/task/${pid}/children`);
  return children.trim().split(" ").map(Number);
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}
