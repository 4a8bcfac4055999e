import assert from "node:assert/strict";
import { join } from "node:path";
import { it } from "@std/testing/bdd";
import { addUser, describeOnEachEngine } from "../accounts/stores.ts";

describeOnEachEngine("the database", (store) => {
  it("keeps its content when it is opened again, and records each migration once", async () => {
    const ada = await addUser(await store.open(), "ada");
    assert.deepEqual(await (await store.open()).list(), [ada]);
    const rows = await store.query(`select "number" from "migration" order by "number"`);
    assert.deepEqual(rows.map((row) => row.number), rows.map((_, index) => index + 1));
  });

  if (store.engine === "sqlite") {
    it("is a file that only its owner can read", async () => {
      await addUser(await store.open(), "ada");
      for await (const { name } of Deno.readDir(store.dataFolder)) {
        const { mode } = await Deno.stat(join(store.dataFolder, name));
        assert.equal(mode! & 0o777, 0o600, name);
      }
    });
  } else {
    it("cannot be opened when it is unreachable", async () => {
      const databaseUrl = "postgres://rollcall:secret@127.0.0.1:1/rollcall";
      await assert.rejects(store.open({ databaseUrl }), /ECONNREFUSED/);
    });
  }
});
