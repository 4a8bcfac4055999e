import assert from "node:assert/strict";
import { describe } from "@std/testing/bdd";
import { seesLive } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { makeReceiver } from "../../fixtures/admin_forms.ts";
import { it } from "../../fixtures/long_run.ts";
import { app, until } from "../../realtime/harness.ts";
import { Receiver } from "../../realtime/webhooks/harness.ts";

describe("the settings in a browser", () => {
  const harness = BrowserHarness.ofGroup({
    PUSHER_APP_ID: app.id,
    PUSHER_APP_KEY: app.key,
    PUSHER_APP_SECRET: app.secret,
    PRESENCE_GRACE_MS: "0",
    ADMIT_GUESTS: "true",
    ALERT_WEBHOOK_NETWORKS: "127.0.0.1",
  });

  it("an alert begins and ends on an open page without moving it, and calls the webhook", async () => {
    await using receiver = new Receiver();
    await using admin = await harness.meet(harness.ada);
    const live = await admin.open("/admin/online");
    await seesLive(live, 1);
    await live.getByText("Alert Off").waitFor();
    const historyTop = async () => (await live.locator(".history-chart").boundingBox())?.y;
    const before = await historyTop();
    await makeReceiver(harness.ada, { url: receiver.url });
    const settings = await admin.open("/admin/settings/alerts");
    await settings.locator("#alert").getByText("No alert set").waitFor();
    assert.equal(await settings.getByLabel("Notify", { exact: true }).inputValue(), "all");
    assert.equal(await settings.getByLabel("Operators").isChecked(), false);
    assert.equal(await settings.getByLabel("Enable alert").isChecked(), true);
    assert.equal(await settings.getByLabel("For at least").inputValue(), "60");
    await settings.getByLabel("Threshold").fill("2");
    await settings.getByLabel("For at least").fill("0");
    await settings.getByRole("button", { name: "Save alert" }).click();
    await settings.getByText("Alert saved.").waitFor();
    await settings.close();
    await live.getByText("Alert ≥ 2 online").waitFor();
    for (const crossing of [1, 2]) {
      await using other = await harness.meet(harness.ben);
      await other.open("/");
      await live.getByText(/Active since .*\d\d:\d\d/).waitFor();
      await until(() => receiver.deliveries.length === 2 * crossing - 1);
      assert.equal(await historyTop(), before);
      await other.context.close();
      await live.getByText(/Back to normal since .*\d\d:\d\d/).waitFor();
      await until(() => receiver.deliveries.length === 2 * crossing);
      assert.equal(await historyTop(), before);
    }
    const event = { channel: "presence-chart", direction: "up", threshold: 2 };
    const begun = { name: "users_online_threshold", ...event, users: 2 };
    const ended = { name: "users_online_normal", ...event, users: 1 };
    assert.deepEqual(receiver.events(), [begun, ended, begun, ended]);
    const { text } = await harness.ada.get("/admin/settings/alerts");
    assert.equal(text.match(/≥ 2 online/g)?.length, 4);
  });

  it.inLongRun("an alert says how many of the users were guests", async () => {
    await using receiver = new Receiver();
    await using admin = await harness.meet(harness.ada);
    const live = await admin.open("/admin/online");
    await seesLive(live, 1);
    await harness.ada.get("/admin/settings/alerts");
    await harness.ada.submit("/admin/settings/alert", {
      enabled: "on",
      users: "3",
      direction: "up",
      holdSeconds: "0",
      webhookUrl: receiver.url,
    });
    await live.getByText("Alert ≥ 3 online").waitFor();
    await using one = await harness.meet();
    await one.open("/");
    await seesLive(live, 2);
    await using two = await harness.meet();
    await two.open("/");
    await live.getByText("Active since").waitFor();
    await until(() => receiver.deliveries.length === 1);
    assert.deepEqual(receiver.events().map(({ users, guests }) => [users, guests]), [[3, 2]]);
    const settings = await admin.open("/admin/settings/alerts");
    await settings.getByRole("row", { name: /≥ 3 online 3 \(1 user, 2 guests\)$/ }).waitFor();
  });

  it("a receiver is added, and a test shows what it answers, as text", async () => {
    await using receiver = new Receiver();
    receiver.answer = () => new Response("<b>posted</b>", { status: 202 });
    await using admin = await harness.meet(harness.ada);
    // A refusal is answered with 422.
    admin.expectsConsoleErrors = true;
    const page = await admin.open("/admin/settings/alerts");
    await page.getByRole("link", { name: "Webhook" }).click();
    await page.getByLabel("Name").fill("Pager");
    await page.getByLabel("URL").fill("http://10.0.0.1/");
    await page.getByRole("button", { name: "Add receiver" }).click();
    await page.getByText("This address is not public.").waitFor();
    await page.getByLabel("URL").fill(receiver.url);
    await page.getByRole("button", { name: "Add receiver" }).click();
    await page.getByText("Receiver added.").waitFor();
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByText(/Test delivered\. Status 202 after [\d,]+ ms/).waitFor();
    assert.equal(await page.locator(".alert-test pre").innerText(), "<b>posted</b>");
    assert.deepEqual(receiver.events().map(({ test }) => test), [true]);
    receiver.answer = () => new Response(null, { status: 500 });
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByText(/The receiver refused the test\. Status 500/).waitFor();
    await page.goto("/admin/settings/alerts");
    await page.getByRole("row", { name: /^Test: .* Status 500 Pager .* Given up$/ }).waitFor();
    await page.getByRole("row", { name: /^Test: .* Pager .* Delivered$/ }).waitFor();
    await page.getByRole("link", { name: "Open Pager" }).click();
    await page.getByRole("button", { name: "Delete receiver" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete receiver" }).click();
    await page.getByText("Receiver deleted.").waitFor();
    await page.goto("/admin/activity/admins");
    assert.equal(await page.getByRole("cell", { name: "Sent a test of the alert" }).count(), 2);
  });

  it.inLongRun("a change of the alert appears on an open page", async () => {
    await using admin = await harness.meet(harness.ada);
    const live = await admin.open("/admin/online");
    await seesLive(live, 1);
    await harness.ada.get("/admin/settings/alerts");
    const set = (fields: Record<string, string>) =>
      harness.ada.submit("/admin/settings/alert", {
        direction: "down",
        holdSeconds: "0",
        webhookUrl: "",
        ...fields,
      });
    await set({ users: "5", enabled: "on" });
    await live.getByText("Alert < 5 online").waitFor();
    await live.getByText("Active since").waitFor();
    await set({ users: "5" });
    await live.getByText("Alert Off").waitFor();
  });

  it.inLongRun("a wallboard link is created, copied, shown in use, and revoked after a confirmation", async () => {
    await using admin = await harness.meet(harness.ada, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await admin.open("/admin/settings/displays");
    await page.locator("#wallboards").getByLabel("Name").fill("Lobby");
    await page.getByRole("button", { name: "Create link" }).click();
    const address = await page.getByLabel("Link of Lobby").inputValue();
    assert.ok(address.startsWith(`${harness.server.origin}/wallboard/`));
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Copied").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
    await using wall = await harness.meet();
    wall.expectsConsoleErrors = true;
    const board = await wall.open(new URL(address).pathname);
    await board.waitForSelector('[data-status="live"]');
    await page.goto("/admin/settings/displays");
    await page.getByText("In use now").waitFor();
    await page.getByRole("button", { name: "Revoke Lobby" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Revoke Lobby" }).click();
    await page.getByRole("button", { name: "Revoke link" }).click();
    await page.getByText("Link revoked.").waitFor();
    await board.getByText("This link has been revoked").waitFor();
  });

  it.inLongRun("the alert and the wallboard links work without script", async () => {
    await using admin = await harness.meet(harness.ada, { javaScriptEnabled: false });
    admin.expectsConsoleErrors = true;
    const page = await admin.open("/admin/settings/alerts");
    await page.getByLabel("Threshold").fill("1");
    await page.getByLabel("For at least").fill("0");
    await page.getByLabel("Condition").selectOption("up");
    await page.getByLabel("Enable alert").check();
    await page.getByRole("button", { name: "Save alert" }).click();
    await page.getByText("Alert saved.").waitFor();
    await page.goto("/admin/settings/displays");
    await page.locator("#wallboards").getByLabel("Name").fill("Attic");
    await page.getByRole("button", { name: "Create link" }).click();
    const address = await page.getByLabel("Link of Attic").inputValue();
    await page.goto("/admin/online");
    await page.getByText("Alert ≥ 1 online").waitFor();
    await page.goto("/admin/settings/displays");
    await page.getByRole("button", { name: "Revoke Attic" }).click();
    await page.getByRole("button", { name: "Revoke link" }).click();
    await page.getByText("Link revoked.").waitFor();
    assert.equal((await page.goto(address))?.status(), 404);
  });
});
