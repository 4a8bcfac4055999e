import assert from "node:assert/strict";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { type Database, openDatabase } from "@/server/database/database.ts";
import { ServerReports } from "@/server/database/server_reports.ts";
import { execute, type PostgresServer, startPostgres } from "../../fixtures/postgres.ts";

describe("the reports of servers", () => {
  let server: PostgresServer;
  let databaseUrl: string;
  let database: Database;
  let one: ServerReports;
  let other: ServerReports;
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.stop());
  beforeEach(async () => {
    databaseUrl = await server.createDatabase();
    database = await openDatabase({ databaseUrl, dataFolder: "" });
    one = new ServerReports(database.queries, "1");
    other = new ServerReports(database.queries, "4294967295");
  });
  afterEach(() => database.close());

  /** Lets all reports be older. */
  async function age(ms: number): Promise<void> {
    await execute(
      databaseUrl,
      `update server set "seenAt" = "seenAt" - ${ms}, "since" = "since" - ${ms}`,
    );
  }

  /** All reports; their ages in seconds. */
  async function all(): Promise<unknown[]> {
    const reports = await one.read();
    const seconds = (ms: number) => Math.floor(ms / 1_000);
    return reports.sort((a, b) => a.id < b.id ? -1 : 1)
      .map(({ id, seesRedis, ageMs, forMs }) => [id, seesRedis, seconds(ageMs), seconds(forMs)]);
  }

  it("have ages by the clock of the database, and begin with each change and each news", async () => {
    await one.report(true, true);
    await age(60_000);
    await other.report(false, true);
    assert.deepEqual(await all(), [["1", true, 60, 60], ["4294967295", false, 0, 0]]);
    await one.report(true, false);
    await age(5_000);
    assert.deepEqual(await all(), [["1", true, 5, 65], ["4294967295", false, 5, 5]]);
    await one.report(false, true);
    await other.report(false, true);
    assert.deepEqual(await all(), [["1", false, 0, 0], ["4294967295", false, 0, 0]]);
  });

  it("are kept for an hour after the last one, and not after a planned stop", async () => {
    await one.report(true, true);
    await age(1_000_000);
    await other.report(true, true);
    await age(2_600_000);
    await other.deleteOld();
    assert.equal((await all()).length, 1);
    await other.remove();
    assert.deepEqual(await all(), []);
  });
});
