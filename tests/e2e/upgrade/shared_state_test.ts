import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { ask } from "../../fixtures/database_contents.ts";
import { until } from "../../fixtures/eventually.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ada } from "../../fixtures/people.ts";
import { execute, type PostgresServer, startPostgres } from "../../fixtures/postgres.ts";
import { type RedisServer, startRedis } from "../../fixtures/redis.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { restoreReleased, restoreShared, settings } from "./released_data.ts";

/** For how long the server of 0.1.0 seems to live, in milliseconds. */
const leaseMs = 60_000;

describe("a server beside one of release 0.1.0", () => {
  let postgres: PostgresServer;
  let redis: RedisServer;

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  });
  afterAll(async () => void await Promise.all([postgres.stop(), redis.stop()]));

  it("shows its users, stores all of its log once, and records that it was lost", async () => {
    const databaseUrl = await postgres.createDatabase();
    await restoreReleased({ engine: "postgres", dataFolder: "", databaseUrl });
    // What 0.1.0 made of its log is to be compared with what this release makes of it.
    const stored = `select "channel", "userId", "kind", "change", "reason", "name", "at", "logId"
      from "attendance" where "logId" is not null order by "logId"`;
    const before = await ask(databaseUrl, stored);
    assert.ok(before.length >= 10);
    await execute(databaseUrl, 'delete from "attendance"; delete from "attending"');
    await restoreShared(redis, leaseMs);
    const environment = { ...settings, DATABASE_URL: databaseUrl, REDIS_URL: redis.address };
    await using server = await Rollcall.start(environment, undefined, "cli/serve.ts");

    const admin = new HttpVisitor(server.origin);
    await admin.signIn(ada);
    // A server that has just started is recovering until it has read the rooms.
    const names = ["Grace Hopper", "Alan Turing", "Visitor 2", "Visitor 4"];
    await until(async () => {
      const { text } = await admin.get("/admin/online");
      return names.every((name) => text.includes(name));
    }, "the users of the server of 0.1.0 were shown");
    const support = await admin.get("/admin/online?channel=presence-support");
    assert.ok(support.text.includes("Support desk"));

    const isRead = async () => (await ask(databaseUrl, stored)).length >= before.length;
    await until(isRead, "the log was read");
    assert.deepEqual(await ask(databaseUrl, stored), before);

    await redis.command("ZADD", "rollcall:leases", "0", "4252689356.1");
    const lost =
      `select "userId" from "attendance" where "reason" = 'server_lost' order by "userId"`;
    await until(async () => (await ask(databaseUrl, lost)).length === 5, "its users were lost");
    const users = (await ask(databaseUrl, lost)).map(({ userId }) => userId);
    assert.deepEqual(users, ["agent-1", "u-1", "u-12", "u-14", "u-2"]);
  });
});
