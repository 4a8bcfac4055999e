import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { databaseAnswers, resolvesWithin } from "@/server/database/unavailable.ts";
import { openDatabase } from "@/server/database/database.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

describe("the availability of a database", () => {
  it("is false for a late answer and for an error", async () => {
    assert.equal(await resolvesWithin(60_000, Promise.resolve([])), true);
    assert.equal(await resolvesWithin(60_000, Promise.reject(new Error("gone"))), false);
    const late = resolvesWithin(1, new Promise(() => {}));
    assert.equal(await withTimeout(late, "the probe ended"), false);
  });

  it("is true until the database is closed", async () => {
    const dataFolder = await Deno.makeTempDir();
    const database = await openDatabase({ dataFolder });
    const answers = databaseAnswers(database);
    assert.deepEqual(await Promise.all([answers(), answers()]), [true, true]);
    await database.close();
    assert.equal(await answers(), false);
    await Deno.remove(dataFolder, { recursive: true });
  });
});
