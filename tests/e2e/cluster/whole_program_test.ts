import { strict as assert } from "node:assert";
import { afterAll, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { until } from "../../fixtures/eventually.ts";
import { type PostgresServer, startPostgres } from "../../fixtures/postgres.ts";
import { ask } from "../../fixtures/postgres_rows.ts";
import { type RedisServer, startRedis } from "../../fixtures/redis.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const app = { id: "1", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };
const settings = {
  PUSHER_APP_ID: app.id,
  PUSHER_APP_KEY: app.key,
  PUSHER_APP_SECRET: app.secret,
  DRAIN_MS: "0",
};

describe("two servers with REDIS_URL", () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let environment: Record<string, string>;
  let databaseUrl: string;
  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  });
  afterAll(async () => void await Promise.all([postgres.stop(), redis.stop()]));
  beforeEach(async () => {
    await redis.flushAll();
    databaseUrl = await postgres.createDatabase();
    environment = { ...settings, DATABASE_URL: databaseUrl, REDIS_URL: redis.address };
  });

  /** The activity log, oldest first. */
  async function changes(): Promise<unknown[]> {
    const rows = await ask(databaseUrl, "select change, reason from attendance order by number");
    return rows.map(({ change, reason }) => [change, reason]);
  }

  it("record each join and leave once, also of a server that was lost", async () => {
    await using first = await Rollcall.start(environment);
    await using second = await Rollcall.start(environment);
    await using _ada = await AdmittedSocket.joinAs(first, app, "ada");
    const bob = await AdmittedSocket.joinAs(second, app, "bob");
    await until(async () => (await changes()).length === 2);
    await bob[Symbol.asyncDispose]();
    await until(async () => (await changes()).length === 3);
    first.kill();
    await until(async () => (await changes()).length === 4);
    assert.deepEqual(await changes(), [
      ["joined", null],
      ["joined", null],
      ["left", "closed"],
      ["left", "server_lost"],
    ]);
    assert.equal((await second.stop()).code, 0);
  });
});
