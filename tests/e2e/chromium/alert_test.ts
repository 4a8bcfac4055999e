import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { launchBrowser, Person, seesLive } from "../../fixtures/browser.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { app, until } from "../../realtime/rig.ts";
import { Receiver } from "../../realtime/webhooks/receiver.ts";

describe("the settings in a browser", () => {
  let browser: Browser;
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;
  const meet = (visitor?: HttpVisitor, options = {}) =>
    Person.meet(browser, server.origin, { visitor, ...options });

  beforeAll(async () => {
    browser = await launchBrowser();
    server = await Rollcall.start({
      PUSHER_APP_ID: app.id,
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
      PRESENCE_GRACE_MS: "0",
      ALERT_WEBHOOK_NETWORKS: "127.0.0.1",
    });
    [ada, ben] = await moveIn(server);
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  it("an alert appears on an open page and calls the webhook once at each crossing", async () => {
    await using receiver = new Receiver();
    await using admin = await meet(ada);
    const live = await admin.open("/admin/online");
    await seesLive(live, 1);
    const settings = await admin.open("/admin/settings");
    await settings.getByLabel("Threshold").fill("2");
    await settings.getByLabel("Webhook URL").fill(receiver.url);
    await settings.getByRole("button", { name: "Save alert" }).click();
    await settings.getByText("Alert saved.").waitFor();
    await settings.close();
    const notice = live.locator(".alert");
    assert.equal(await notice.innerText(), "");
    for (const crossing of [1, 2]) {
      await using other = await meet(ben);
      await other.open("/");
      await live.getByText(/Alert: 2 users online \(threshold 2\) since .*\d\d:\d\d/).waitFor();
      await until(() => receiver.deliveries.length === crossing);
      await other.context.close();
      await notice.getByText("Alert").waitFor({ state: "detached" });
    }
    const event = { name: "users_online_threshold", channel: "presence-chart", direction: "up" };
    const told = { ...event, threshold: 2, users: 2 };
    assert.deepEqual(receiver.events(), [told, told]);
    const { text } = await ada.get("/admin/settings");
    assert.equal(text.match(/≥ 2 users/g)?.length, 2);
  });

  it("a change of the alert appears on an open page", async () => {
    await using admin = await meet(ada);
    const live = await admin.open("/admin/online");
    await seesLive(live, 1);
    await ada.get("/admin/settings");
    const set = (fields: Record<string, string>) =>
      ada.submit("/admin/settings/alert", { direction: "down", webhookUrl: "", ...fields });
    await set({ users: "5", enabled: "on" });
    await live.getByText("Alert: 1 user online (threshold 5).").waitFor();
    await set({ users: "5" });
    await live.getByText("Alert: 1 user").waitFor({ state: "detached" });
  });

  it("a wallboard link is created, copied, shown in use, and revoked after a confirmation", async () => {
    await using admin = await meet(ada, { permissions: ["clipboard-read", "clipboard-write"] });
    const page = await admin.open("/admin/settings");
    await page.getByLabel("Name", { exact: true }).fill("Lobby");
    await page.getByRole("button", { name: "Create link" }).click();
    const address = await page.getByLabel("Link of Lobby").inputValue();
    assert.ok(address.startsWith(`${server.origin}/wallboard/`));
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Copied").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
    await using wall = await meet();
    wall.expectsConsoleErrors = true;
    const board = await wall.open(new URL(address).pathname);
    await board.waitForSelector('[data-status="live"]');
    await page.goto("/admin/settings");
    await page.getByText("In use now").waitFor();
    await page.getByRole("button", { name: "Revoke Lobby" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Revoke Lobby" }).click();
    await page.getByRole("button", { name: "Revoke link" }).click();
    await page.getByText("Link revoked.").waitFor();
    await board.getByText("This link has been revoked").waitFor();
  });

  it("the alert and the wallboard links work without script", async () => {
    await using admin = await meet(ada, { javaScriptEnabled: false });
    admin.expectsConsoleErrors = true;
    const page = await admin.open("/admin/settings");
    await page.getByLabel("Threshold").fill("1");
    await page.getByLabel("Notify when users online").selectOption("up");
    await page.getByLabel("Enable alert").check();
    await page.getByRole("button", { name: "Save alert" }).click();
    await page.getByText("Alert saved.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Attic");
    await page.getByRole("button", { name: "Create link" }).click();
    const address = await page.getByLabel("Link of Attic").inputValue();
    await page.goto("/admin/online");
    await page.getByText("Alert: 1 user online (threshold 1)").waitFor();
    await page.goto("/admin/settings");
    await page.getByRole("button", { name: "Revoke Attic" }).click();
    await page.getByRole("button", { name: "Revoke link" }).click();
    await page.getByText("Link revoked.").waitFor();
    assert.equal((await page.goto(address))?.status(), 404);
  });
});
