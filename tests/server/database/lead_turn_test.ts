import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import type { Database } from "@/server/database/database.ts";
import { LeadTurn } from "@/server/database/lead_turn.ts";
import { readSetting, writeSetting } from "@/server/database/stored_setting.ts";
import { z } from "zod";
import { describeOnEachDatabase } from "../../fixtures/databases.ts";

/** Stores a value in a turn. @returns null: it was not stored */
function store(turn: LeadTurn, value: string): Promise<boolean | null> {
  return turn.within(async (transaction) => {
    await writeSetting(transaction, "value", value);
    return true;
  });
}

const stored = ({ queries }: Database) => readSetting(queries, "value", z.string());

describeOnEachDatabase("the turn of a server that leads", (databases) => {
  it("ends when another one begins, and nothing is stored in it after that", async () => {
    const database = await databases.open();
    const [one, two] = [new LeadTurn(database), new LeadTurn(await databases.open())];
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

  it("does not begin while the server does not lead", async () => {
    const database = await databases.open();
    const [one, two] = [new LeadTurn(database), new LeadTurn(database)];
    await two.begin(() => true);
    assert.equal(await one.begin(() => false), false);
    assert.equal(await store(one, "one"), null);
    assert.equal(await store(two, "two"), true);
  });

  it("does not begin when the server paused on the way, and another one began meanwhile", async () => {
    const database = await databases.open();
    const two = new LeadTurn(database);
    let leads = true;
    const paused = {
      queries: database.queries,
      exclusively: async (...[work]: Parameters<Database["exclusively"]>) => {
        if (leads) await two.begin(() => true);
        leads = false;
        return await database.exclusively(work);
      },
    } as Database;
    const one = new LeadTurn(paused);
    assert.equal(await one.begin(() => leads), false);
    assert.deepEqual([leads, await store(one, "one")], [false, null]);
    assert.equal(await store(two, "two"), true);
  });

  it("stores nothing of what fails", async () => {
    const database = await databases.open();
    const turn = new LeadTurn(database);
    await turn.begin(() => true);
    const failing = turn.within(async (transaction) => {
      await writeSetting(transaction, "value", "half");
      throw new Error("failed");
    });
    await assert.rejects(failing, /failed/);
    assert.equal(await stored(database), null);
  });
});
