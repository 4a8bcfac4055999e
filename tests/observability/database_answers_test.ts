import assert from "node:assert/strict";
import { answersWithin, databaseAnswers } from "../../observability/database_answers.ts";
import { openDatabase } from "../../database/database.ts";

Deno.test("an answer in time, a late one and a failure are told apart from none", async () => {
  assert.equal(await answersWithin(60_000, Promise.resolve([])), true);
  assert.equal(await answersWithin(60_000, Promise.reject(new Error("gone"))), false);
  assert.equal(await answersWithin(1, new Promise(() => {})), false);
});

Deno.test("a database answers until it is closed", async () => {
  const dataFolder = await Deno.makeTempDir();
  const database = await openDatabase({ dataFolder });
  const answers = databaseAnswers(database);
  assert.deepEqual(await Promise.all([answers(), answers()]), [true, true]);
  await database.close();
  assert.equal(await answers(), false);
  await Deno.remove(dataFolder, { recursive: true });
});
