import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { AskedProcess } from "../../fixtures/asked_process.ts";
import { startPostgres } from "../../fixtures/postgres.ts";
import { ask } from "../../fixtures/postgres_rows.ts";
import { migrations } from "@/server/database/migrations.ts";

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
