import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { secretsInFolder } from "../../config/secrets_file.ts";
import { secretsInDatabase } from "../../config/secrets_in_database.ts";
import { describeOnEachDatabase } from "../fixtures/databases.ts";

describeOnEachDatabase("the secrets kept in the database", (store) => {
  const nowhere = "/proc/nowhere";

  it("are made on the first run, and stay the same", async () => {
    const made = await secretsInDatabase(await store.open(), nowhere);
    assert.match(made.appSecret, /^[0-9a-f]{64}$/);
    assert.deepEqual(await secretsInDatabase(await store.open(), nowhere), made);
  });

  it("are those of the data folder, for whoever moves from there", async () => {
    const kept = await secretsInFolder(store.dataFolder);
    const database = await store.open();
    assert.deepEqual(await secretsInDatabase(database, store.dataFolder), kept);
    assert.deepEqual(await secretsInDatabase(database, nowhere), kept);
  });

  it("are one set when many processes start at once, 20 times", async () => {
    for (let run = 0; run < 20; run++) {
      await (await store.open()).queries.deleteFrom("setting").execute();
      const databases = await Promise.all(Array.from({ length: 4 }, () => store.open()));
      const all = await Promise.all(databases.map((each) => secretsInDatabase(each, nowhere)));
      for (const one of all) assert.deepEqual(one, all[0]);
      await store.close();
    }
  });

  it("stop the start when they are damaged, without showing them", async () => {
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
