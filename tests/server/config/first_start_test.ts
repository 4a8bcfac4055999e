import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { migrations } from "@/server/database/migrations.ts";
import { secretsInDatabase, secretsInFolder } from "@/server/config/stored_secrets.ts";
import { AskedProcess } from "../../fixtures/asked_process.ts";
import { startPostgres } from "../../fixtures/postgres.ts";
import { ask } from "../../fixtures/database_contents.ts";
import { describeOnDatabase } from "../../fixtures/databases.ts";

const program = new URL("starting_server.ts", import.meta.url);
const runs = 10;

describe("the first start of an installation", () => {
  it("makes the same tables, secrets and setup link for two servers that start at once", async () => {
    const postgres = await startPostgres();
    await using _ = { [Symbol.asyncDispose]: () => postgres.stop() };
    const databases: string[] = [];
    for (let run = 0; run < runs; run++) databases.push(await postgres.createDatabase());
    const start = () => AskedProcess.start(program, databases);
    await using one = (await start()).process;
    await using other = (await start()).process;
    for (const [index, database] of databases.entries()) {
      const [first, second] = await Promise.all(
        [one, other].map((each) => each.ask<{ token: string }>(`start ${index}`)),
      );
      assert.match(first.token, /^[\w-]{43}$/);
      assert.deepEqual(second, first);
      const applied = await ask(database, 'select "number" from "migration" order by "number"');
      assert.deepEqual(applied.map((row) => row.number), migrations.map((_, each) => each + 1));
    }
  });
});

describeOnDatabase("the secrets in the database", (store) => {
  const nowhere = "/proc/nowhere";

  it("are generated on the first run, and stay the same", async () => {
    const made = await secretsInDatabase(await store.open(), nowhere);
    assert.match(made.appSecret, /^[0-9a-f]{64}$/);
    assert.deepEqual(await secretsInDatabase(await store.open(), nowhere), made);
  });

  it("are copied from the data folder, if it has any", async () => {
    const kept = await secretsInFolder(store.dataFolder);
    const database = await store.open();
    assert.deepEqual(await secretsInDatabase(database, store.dataFolder), kept);
    assert.deepEqual(await secretsInDatabase(database, nowhere), kept);
  });

  it("are the same for processes that start at once, in 20 runs", async () => {
    for (let run = 0; run < 20; run++) {
      await (await store.open()).queries.deleteFrom("setting").execute();
      const databases = await Promise.all(Array.from({ length: 4 }, () => store.open()));
      const all = await Promise.all(databases.map((each) => secretsInDatabase(each, nowhere)));
      for (const one of all) assert.deepEqual(one, all[0]);
      await store.close();
    }
  });

  it("are refused without being printed when they are damaged", async () => {
    const database = await store.open();
    const { pusherSecret } = await secretsInDatabase(database, nowhere);
    await store.query(`update setting set value = replace(value, 'pusherKey', 'key')`);
    await assert.rejects(secretsInDatabase(database, nowhere), (error: Error) => {
      assert.match(error.message, /the setting secrets of the database are damaged/);
      assert.doesNotMatch(error.message, new RegExp(pusherSecret));
      return true;
    });
  });
});
