import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { type Database, openDatabase } from "../../database/database.ts";
import { PostgresServerLock } from "../../database/postgres_server_lock.ts";
import { until } from "../fixtures/eventually.ts";
import { execute, type PostgresServer, startPostgres } from "../fixtures/postgres.ts";
import { ask } from "../fixtures/postgres_rows.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";

const holder = `process ${Deno.pid} on [\\w.-]+, since 20\\d\\d-\\d\\d-\\d\\dT[\\d:.]+Z`;
const dataFolder = "/nowhere/at/all";

/** The sessions that have the lock. */
const holding = `select pid from pg_locks where locktype = 'advisory' and granted
  and database = (select oid from pg_database where datname = current_database())`;

/** Ends these, as a network or an administrator does. */
const cut = holding.replace("pid", "pg_terminate_backend(pid)");

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
});
