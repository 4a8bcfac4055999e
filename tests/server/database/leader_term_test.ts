import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import type { Database } from "@/server/database/database.ts";
import { LeaderTerm } from "@/server/database/leader_term.ts";
import { readSetting, writeSetting } from "@/server/database/stored_setting.ts";
import { z } from "zod";
import { describeOnEachDatabase } from "../../fixtures/databases.ts";

/** Stores a value in a term. @returns null: it was not stored */
function store(term: LeaderTerm, value: string): Promise<boolean | null> {
  return term.within(async (transaction) => {
    await writeSetting(transaction, "value", value);
    return true;
  });
}

const stored = ({ queries }: Database) => readSetting(queries, "value", z.string());

describeOnEachDatabase("the term of a leader", (databases) => {
  it("ends when another one begins, and nothing is stored in it after that", async () => {
    const database = await databases.open();
    const [one, two] = [new LeaderTerm(database), new LeaderTerm(await databases.open())];
    assert.equal(await store(one, "before its turn"), null);
    assert.equal(await one.begin(() => true), true);
    assert.equal(await store(one, "one"), true);
    assert.equal(await two.begin(() => true), true);
    assert.equal(await store(one, "after its turn"), null);
    assert.equal(await stored(database), "one");
    assert.equal(await store(two, "two"), true);
    assert.equal(await one.begin(() => true), true);
    assert.equal(await store(two, "after its turn"), null);
    assert.equal(await store(one, "one again"), true);
    assert.equal(await stored(database), "one again");
  });

  it("does not begin while the server is not the leader", async () => {
    const database = await databases.open();
    const [one, two] = [new LeaderTerm(database), new LeaderTerm(database)];
    await two.begin(() => true);
    assert.equal(await one.begin(() => false), false);
    assert.equal(await store(one, "one"), null);
    assert.equal(await store(two, "two"), true);
  });

  it("does not begin when the server paused on the way, and another one began meanwhile", async () => {
    const database = await databases.open();
    const two = new LeaderTerm(database);
    let isLeader = true;
    const paused = {
      queries: database.queries,
      exclusively: async (...[work]: Parameters<Database["exclusively"]>) => {
        if (isLeader) await two.begin(() => true);
        isLeader = false;
        return await database.exclusively(work);
      },
    } as Database;
    const one = new LeaderTerm(paused);
    assert.equal(await one.begin(() => isLeader), false);
    assert.deepEqual([isLeader, await store(one, "one")], [false, null]);
    assert.equal(await store(two, "two"), true);
  });

  it("stores nothing of what fails", async () => {
    const database = await databases.open();
    const term = new LeaderTerm(database);
    await term.begin(() => true);
    const failing = term.within(async (transaction) => {
      await writeSetting(transaction, "value", "half");
      throw new Error("failed");
    });
    await assert.rejects(failing, /failed/);
    assert.equal(await stored(database), null);
  });
});
