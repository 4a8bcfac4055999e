import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { MemberSockets } from "../../fixtures/member_sockets.ts";
import { rowOf, seesList, seesNames } from "../../fixtures/browser.ts";

const app = { id: "4711", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };

describe("who is active", () => {
  const harness = BrowserHarness.ofGroup({
    PUSHER_APP_ID: app.id,
    PUSHER_APP_KEY: app.key,
    PUSHER_APP_SECRET: app.secret,
    PRESENCE_GRACE_MS: "0",
  });

  it("is in the list, which is filtered and sorted by it, and below the number", async () => {
    await using members = new MemberSockets(harness.server, app);
    await members.join("ann", "bob", "cem");
    await using admin = await harness.meet(harness.ada);
    const page = await admin.open("/admin/online");
    await seesList(page);
    const state = (name: string) => rowOf(page, name).locator(".activity-state");
    assert.equal(await state("ann").innerText(), "–");
    assert.equal(await page.getByRole("combobox", { name: "Activity" }).count(), 0);
    assert.doesNotMatch(await page.locator(".connections").innerText(), /active/);

    members.use("ann", { state: "active" });
    members.use("bob", { state: "idle", seconds: 12 * 60 });
    await state("ann").getByText("Active", { exact: true }).waitFor();
    await state("bob").getByText("Idle for 12 min").waitFor();
    assert.equal(await state("cem").innerText(), "–");
    await page.locator(".connections", { hasText: "1 active" }).waitFor();

    await page.getByRole("button", { name: "Activity" }).click();
    await page.locator('[aria-sort="descending"]', { hasText: "Activity" }).waitFor();
    const names = await page.locator(".online-table tbody a").allInnerTexts();
    assert.deepEqual(names.slice(0, 2), ["ann", "bob"]);
    const listed = page.getByRole("combobox", { name: "Activity" });
    await listed.selectOption("idle");
    await seesNames(page, ["bob"]);
    await page.locator(".online-table-foot", { hasText: /^1 of \d people/ }).waitFor();
    await listed.selectOption("active");
    await seesNames(page, ["ann"]);
    await page.goto("/admin/online?activity=idle");
    await seesNames(page, ["bob"]);

    await page.goto("/admin/people/bob");
    const fact = page.locator("#person .activity-state");
    await fact.getByText("Idle for 12 min").waitFor();
    members.use("bob", { state: "active" });
    await fact.getByText("Active", { exact: true }).waitFor();
  });
});
