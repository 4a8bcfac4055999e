import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { addAlertHold } from "@/server/database/migrations/0_1_0.ts";
import { writeSetting } from "@/server/database/stored_setting.ts";
import { readAlert } from "@/server/alert/stored_alert.ts";
import { describeOnEachDatabase } from "../../fixtures/databases.ts";

const crossing = { at: 1_000, users: 12, threshold: 10, direction: "up" };
const before = {
  setting: { enabled: true, users: 10, direction: "up", webhookUrl: "https://example.org/a?b=c" },
  version: 3,
  side: "reached",
  crossings: [crossing],
};

describeOnEachDatabase("an alert that was saved before it had a time to hold", (store) => {
  it("is kept, holds for 60 seconds, and is active if it was", async () => {
    const database = await store.open();
    await writeSetting(database.queries, "alert", before);
    await addAlertHold(database.queries);
    assert.deepEqual(await readAlert(database), {
      setting: { ...before.setting, holdSeconds: 60 },
      version: 3,
      phase: "active",
      crossings: [{ ...crossing, phase: "active" }],
    });
  });

  it("is normal if the number was on the other side, or the alert off", async () => {
    const database = await store.open();
    const { setting } = before;
    for (
      const change of [
        { side: "below" },
        { setting: { ...setting, direction: "down" } },
        { setting: { ...setting, enabled: false } },
      ]
    ) {
      await writeSetting(database.queries, "alert", { ...before, ...change });
      await addAlertHold(database.queries);
      assert.equal((await readAlert(database))?.phase, "normal");
    }
  });

  it("is not made where there was none", async () => {
    const database = await store.open();
    await addAlertHold(database.queries);
    assert.equal(await readAlert(database), null);
  });
});
