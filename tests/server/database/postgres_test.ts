import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { sql } from "kysely";
import pg from "pg";
import { type Database, openDatabase, openPostgres } from "@/server/database/database.ts";
import { DatabaseUnavailable } from "@/server/database/unavailable.ts";
import { PostgresServerLock } from "@/server/database/postgres_server_lock.ts";
import { until } from "../../fixtures/eventually.ts";
import { execute, type PostgresServer, startPostgres } from "../../fixtures/postgres.ts";
import { ask } from "../../fixtures/database_contents.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

describe("statements in PostgreSQL that take too long", () => {
  it("fail after the limit, and leave the connections usable", async () => {
    const postgres = await startPostgres();
    const statements = { timeoutMs: 0 };
    const database = openPostgres(await postgres.createDatabase(), undefined, statements);
    const sleep = (seconds: number) => sql`select pg_sleep(${seconds})`.execute(database.queries);
    await sleep(0.1);
    statements.timeoutMs = 50;
    const all = Array.from({ length: 20 }, () => sleep(600));
    const outcomes = await Promise.allSettled(all);
    for (const outcome of outcomes) {
      assert.equal(outcome.status, "rejected");
      assert.equal(outcome.reason.reason, "it does not answer");
    }
    assert.equal(database.outages.current?.reason, "it does not answer");
    statements.timeoutMs = 10_000;
    await sleep(0);
    await database.close();
    await postgres.stop();
  });
});

describe("a transaction in PostgreSQL", () => {
  it("fails, and the process goes on, when its connection is ended between two statements", async () => {
    const postgres = await startPostgres();
    const address = await postgres.createDatabase();
    const database = openPostgres(address, undefined, { timeoutMs: 0 });
    const failed = database.exclusively(async (transaction) => {
      const { rows: [{ pid }] } = await sql<{ pid: number }>`select pg_backend_pid() as pid`
        .execute(transaction);
      await ask(address, `select pg_terminate_backend(${pid})`);
      const left = `select 1 from pg_stat_activity where pid = ${pid}`;
      await until(async () => (await ask(address, left)).length === 0);
      await sql`select 1`.execute(transaction);
    });
    await assert.rejects(failed, DatabaseUnavailable);
    await sql`select 1`.execute(database.queries);
    await database.close();
    await postgres.stop();
  });

  it("keeps others waiting no longer than it may be idle, as a frozen process would", async () => {
    const postgres = await startPostgres();
    const address = await postgres.createDatabase();
    const [frozen, other] = [openPostgres(address), openPostgres(address)];
    const [entered, thawed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const failed = frozen.exclusively(async (transaction) => {
      entered.resolve();
      await thawed.promise;
      await sql`select 1`.execute(transaction);
    }, 100);
    await entered.promise;
    assert.equal(await other.exclusively(() => Promise.resolve("done")), "done");
    thawed.resolve();
    await assert.rejects(failed, DatabaseUnavailable);
    await Promise.all([frozen.close(), other.close()]);
    await postgres.stop();
  });
});

const holder = `process ${Deno.pid} on [\\w.-]+, since 20\\d\\d-\\d\\d-\\d\\dT[\\d:.]+Z`;
const dataFolder = "/nowhere/at/all";

/** The sessions that have the lock. */
const holding = `select pid from pg_locks where locktype = 'advisory' and granted
  and database = (select oid from pg_database where datname = current_database())`;

/** Ends these, as a network or an administrator does. */
const cut = holding.replace("pid", "pg_terminate_backend(pid)");

/** Sessions that wait for the lock. */
const waiting = holding.replace("granted", "not granted");

const shared = { isShared: true };

/** Reads something. */
function read({ queries }: Database): Promise<unknown> {
  return queries.selectFrom("migration").select("number").execute();
}

describe("the lock of the server on a PostgreSQL database", () => {
  let postgres: PostgresServer;
  let databaseUrl: string;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());
  beforeEach(async () => {
    databaseUrl = await postgres.createDatabase();
  });

  it("refuses a second server, naming the first, until that closes the database", async () => {
    const first = await openDatabase({ databaseUrl, dataFolder, server: {} });
    await assert.rejects(openDatabase({ databaseUrl, dataFolder, server: {} }), {
      name: "DatabaseInUse",
      message: new RegExp(`at DATABASE_URL is in use by ${holder}; stop that first$`),
    });
    const waited: string[] = [];
    const second = openDatabase({
      databaseUrl,
      dataFolder,
      server: {
        timeoutMs: 60_000,
        onWait: (holder) => {
          waited.push(holder);
          first.close();
        },
      },
    });
    await (await second).close();
    assert.equal(waited.length, 1);
    assert.match(waited[0], new RegExp(`^${holder}$`));
  });

  it("does not keep commands out, and does not keep other databases", async () => {
    const server = await openDatabase({ databaseUrl, dataFolder, server: {} });
    const command = await openDatabase({ databaseUrl, dataFolder });
    await read(command);
    await command.close();
    const elsewhere = await postgres.createDatabase();
    await (await openDatabase({ databaseUrl: elsewhere, dataFolder, server: {} })).close();
    await server.close();
  });

  it("is taken again before the next statement when its connection was lost", async () => {
    const onLost = () => assert.fail("it was lost");
    const server = await openDatabase({ databaseUrl, dataFolder, server: { onLost } });
    const [before] = await ask(databaseUrl, holding);
    await execute(databaseUrl, cut);
    // A read takes the lock again, once the server has noticed its loss.
    await until(async () => {
      await read(server);
      const [now] = await ask(databaseUrl, holding);
      return now !== undefined && now.pid !== before.pid;
    }, "the lock was taken again");
    await assert.rejects(PostgresServerLock.take(databaseUrl), { name: "DatabaseInUse" });
    await server.close();
  });

  it("ends all use of the database by a server whose lock another one has", async () => {
    const lost = Promise.withResolvers<string>();
    const server = { onLost: lost.resolve };
    const first = await openDatabase({ databaseUrl, dataFolder, server });
    const second = await PostgresServerLock.take(databaseUrl, { takesOver: true });
    assert.match(await withTimeout(lost.promise, "the loss was noticed"), new RegExp(holder));
    await assert.rejects(read(first), { reason: "another server uses it" });
    await second.close();
    await assert.rejects(read(first), { reason: "another server uses it" });
    await first.close();
  });

  it("is shared by servers with Redis, of which none knows of the others", async () => {
    const onLost = () => assert.fail("it was lost");
    const server = { ...shared, onLost, onWait: () => assert.fail("it waited") };
    const open = () => openDatabase({ databaseUrl, dataFolder, server });
    const servers = await Promise.all([open(), open(), open()]);
    assert.equal((await ask(databaseUrl, holding)).length, 3);
    await servers[0].close();
    await Promise.all(servers.slice(1).map(read));
    const last = await open();
    await Promise.all([last, servers[1], servers[2]].map((each) => each.close()));
    await (await openDatabase({ databaseUrl, dataFolder, server: {} })).close();
  });

  it("keeps a server without Redis out while servers with Redis share it", async () => {
    const first = await openDatabase({ databaseUrl, dataFolder, server: shared });
    const single = () => openDatabase({ databaseUrl, dataFolder, server: { takesOver: true } });
    await assert.rejects(single(), {
      name: "DatabaseInUse",
      message: new RegExp(
        `at DATABASE_URL is in use by servers with REDIS_URL: ${holder}; stop them first, or set ` +
          "REDIS_URL here too$",
      ),
    });
    const second = await openDatabase({ databaseUrl, dataFolder, server: shared });
    await assert.rejects(single(), { message: new RegExp(`: ${holder}, and 1 more; stop them`) });
    // It has left the queue, which would keep further servers out.
    await (await openDatabase({ databaseUrl, dataFolder, server: shared })).close();
    await Promise.all([first, second].map(read));
    assert.equal((await ask(databaseUrl, holding)).length, 2);
    await Promise.all([first, second].map((each) => each.close()));
  });

  it("keeps servers with Redis out while one without has it, which is not replaced", async () => {
    const onLost = () => assert.fail("it was lost");
    const single = await openDatabase({ databaseUrl, dataFolder, server: { onLost } });
    const waited: string[] = [];
    const server = {
      ...shared,
      takesOver: true,
      timeoutMs: 500,
      onWait: (holder: string) => waited.push(holder),
    };
    await assert.rejects(openDatabase({ databaseUrl, dataFolder, server }), {
      name: "DatabaseInUse",
      message: new RegExp(
        `at DATABASE_URL is in use by a server without REDIS_URL: ${holder}; stop that first$`,
      ),
    });
    assert.equal(waited.length, 1);
    await read(single);
    await single.close();
  });

  it("is taken again by servers that share it, also while another session queues for it", async () => {
    const onLost = () => assert.fail("it was lost");
    const server = { ...shared, onLost };
    const [one, other] = await Promise.all(
      [1, 2].map(() => openDatabase({ databaseUrl, dataFolder, server })),
    );
    const [{ pid }] = await ask(databaseUrl, holding);
    const next = new pg.Client({ connectionString: databaseUrl });
    await next.connect();
    const queued = next.query("select pg_advisory_lock(7655252)").catch((error: unknown) =>
      Reflect.get(Object(error), "code")
    );
    await until(async () => (await ask(databaseUrl, waiting)).length === 1, "it was in the queue");
    await execute(databaseUrl, `select pg_terminate_backend(${pid})`);
    await until(async () => (await ask(databaseUrl, holding)).length === 1, "the lock was lost");
    const reads = Promise.all([one, other].map(read));
    await execute(databaseUrl, `select pg_cancel_backend(${next.processID})`);
    assert.equal(await queued, "57014");
    await reads;
    await until(async () => (await ask(databaseUrl, holding)).length === 2, "both have it again");
    await next.end();
    await Promise.all([one, other].map((each) => each.close()));
  });

  it("is lost by servers that share it when one without Redis has it meanwhile", async () => {
    const lost = Promise.withResolvers<string>();
    const server = { ...shared, onLost: lost.resolve };
    const first = await openDatabase({ databaseUrl, dataFolder, server });
    const next = new pg.Client({ connectionString: databaseUrl });
    await next.connect();
    const queued = next.query("select pg_advisory_lock(7655252)");
    await until(async () => (await ask(databaseUrl, waiting)).length === 1, "it was in the queue");
    await execute(databaseUrl, cut);
    await queued;
    assert.equal(await withTimeout(lost.promise, "the loss was noticed"), "another process");
    await assert.rejects(read(first), { reason: "another server uses it" });
    await next.end();
    await first.close();
  });
});
