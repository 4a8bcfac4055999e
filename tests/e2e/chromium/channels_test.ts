import assert from "node:assert/strict";
import Pusher from "pusher";
import { beforeAll, describe } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import type { AppCredentials } from "@/realtime/app_config.ts";
import { channelPath } from "@/shared/channel_list.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { it } from "../../fixtures/long_run.ts";
import { AppClient } from "../../fixtures/member_sockets.ts";
import { Person } from "../../fixtures/browser.ts";
import { addApp, revealed } from "../../fixtures/admin_forms.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { until } from "../../fixtures/eventually.ts";

/** The page of a channel, once it shows what passes by. */
async function inspecting(person: Person, app: AppCredentials, name: string): Promise<Page> {
  const page = await person.open(channelPath({ appId: app.id, name }));
  await page.locator("#events .status-live").waitFor();
  return page;
}

describe("the pages of the channels", () => {
  const harness = BrowserHarness.ofGroup();
  let shop: AppCredentials;
  let library: Pusher;

  beforeAll(async () => {
    shop = await revealed(harness.ada, await addApp(harness.ada, "Shop"));
    const port = new URL(harness.server.origin).port;
    library = new Pusher({ appId: shop.id, ...shop, host: "127.0.0.1", port });
  });

  const meet = (visitor = harness.ada) => harness.meet(visitor);
  const names = (page: Page) => page.locator(".channels-table tbody th").allTextContents();
  const shows = (page: Page, expected: string[]) =>
    until(async () => JSON.stringify(await names(page)) === JSON.stringify(expected));

  it("list what is occupied, live, as the reader searches, sorts and filters", async () => {
    await using client = await AppClient.connect(harness.server, shop);
    await client.join(["list.1", "list.2"]);
    await using person = await meet();
    const page = await person.open("/admin/channels?q=list.");
    await shows(page, ["list.1", "list.2"]);
    await page.getByRole("link", { name: "list.2" }).hover();
    await client.join("list.0");
    await page.locator(".channels-foot", { hasText: /^3 of/ }).waitFor();
    assert.deepEqual(await names(page), ["list.1", "list.2"], "rows stay while one points at them");
    await page.mouse.move(0, 0);
    await client.join("private-list.3");
    await shows(page, ["list.0", "list.1", "list.2", "private-list.3"]);
    await page.getByRole("searchbox").fill("LIST.3");
    await shows(page, ["private-list.3"]);
    await page.getByRole("searchbox").fill("list.");
    await page.getByRole("button", { name: "Channel" }).click();
    await page.getByRole("button", { name: "Channel" }).click();
    await shows(page, ["private-list.3", "list.2", "list.1", "list.0"]);
    await page.getByLabel("Type").selectOption("Public");
    await shows(page, ["list.2", "list.1", "list.0"]);
    assert.match(page.url(), /\?q=list\.&kind=public&sort=-name$/, "a reload shows the same");
    await page.getByRole("link", { name: "list.1" }).click();
    await page.getByRole("heading", { level: 1, name: "list.1" }).waitFor();
  });

  it("show who comes into a presence channel, by name", async () => {
    await using person = await meet();
    const page = await inspecting(person, shop, "presence-desk");
    await page.getByText("No members right now.").waitFor();
    await using client = await AppClient.connect(harness.server, shop);
    await client.join("presence-desk", { user_id: "7", rollcall: { name: "Ann Ek" } });
    await page.locator(".members-name", { hasText: "Ann Ek" }).waitFor();
    const join = page.locator(".events-name", { hasText: "pusher_internal:member_added" });
    assert.equal(await join.count(), 0);
    await page.getByRole("link", { name: "Show joins and leaves" }).click();
    await join.waitFor();
    await page.reload();
    await page.getByRole("link", { name: "Hide joins and leaves" }).click();
    await page.getByText("Waiting for events…").waitFor();
    assert.doesNotMatch(page.url(), /joins/);
    const order = await page.locator("main section h2").allTextContents();
    assert.deepEqual(order, ["Events", "Send a test event", "Members"]);
  });

  it.inLongRun("find members of a presence channel by name and id, on the server", async () => {
    await using first = await AppClient.connect(harness.server, shop);
    await using second = await AppClient.connect(harness.server, shop);
    await first.join("presence-hall", { user_id: "7", rollcall: { name: "Ann Ek" } });
    await second.join("presence-hall", { user_id: "8", rollcall: { name: "Bo Dahl" } });
    await using person = await meet();
    const page = await inspecting(person, shop, "presence-hall");
    const search = page.getByRole("searchbox", { name: "Search by name or ID" });
    await search.fill("dahl");
    await page.getByText("1 of 2 members").first().waitFor();
    assert.match(page.url(), /&q=dahl$/);
    assert.deepEqual(await page.locator(".members-name").allTextContents(), ["Bo Dahl"]);
    await search.fill("unknown");
    await page.getByText("No member matches “unknown”.").waitFor();
    await search.fill("7");
    await page.locator(".members-name", { hasText: "Ann Ek" }).waitFor();
    await page.reload();
    assert.equal(await search.inputValue(), "7");
    assert.deepEqual(await page.locator(".members-name").allTextContents(), ["Ann Ek"]);
  });

  it("show what passes by, by name, until the reader pauses, and data after a click", async () => {
    await using person = await meet();
    const page = await inspecting(person, shop, "orders");
    await library.trigger("orders", "paid", { total: "17.50" });
    const events = page.locator(".events-name");
    await events.getByText("paid", { exact: true }).waitFor();
    assert.ok(!(await page.content()).includes("17.50"));
    await page.getByRole("button", { name: "Show data of paid" }).click();
    await page.locator(".events-open pre", { hasText: '"total": "17.50"' }).waitFor();

    await page.getByRole("button", { name: "Pause" }).click();
    await library.trigger("orders", "shipped", {});
    await page.getByRole("button", { name: "Resume, 1 new" }).click();
    await events.getByText("shipped", { exact: true }).waitFor();
    await page.getByLabel("Filter by event").fill("PAI");
    await events.getByText("shipped", { exact: true }).waitFor({ state: "detached" });
    assert.deepEqual(await events.allTextContents(), ["paid"]);
  });

  it.inLongRun("show each of several admins the events, and follow them until the last one leaves", async () => {
    // Of several servers, the one follows them that the pages' sockets are connected to. The system gives each
    // connection to any of several workers.
    using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
    const asking = new HttpVisitor(harness.server.origin, client);
    for (const [name, value] of harness.ada.cookies) asking.cookies.set(name, value);
    const isFollowed = async () => {
      const query = new URLSearchParams({ app: shop.id, name: "private-both" });
      for (let connection = 0; connection < 30; connection++) {
        const answer = await asking.get(`/admin/channels/events?${query}`);
        if (JSON.parse(answer.text).isOpen) return true;
      }
      return false;
    };
    {
      await using first = await meet();
      await inspecting(first, shop, "private-both");
      await using second = await meet(harness.ben);
      const page = await inspecting(second, shop, "private-both");
      await first.page.goto("/");
      assert.equal(await isFollowed(), true);
      await library.trigger("private-both", "paid", {});
      await page.locator(".events-name", { hasText: "paid" }).waitFor();
    }
    await until(async () => !await isFollowed());
  });

  it("send a test event after a question, to every subscriber and the page itself", async () => {
    await using client = await AppClient.connect(harness.server, shop);
    await client.join("tested");
    await using person = await meet();
    const page = await inspecting(person, shop, "tested");
    await page.getByLabel("Event", { exact: true }).fill("order.paid");
    await page.locator("#test-data").fill('{"a":1}');
    await page.getByRole("button", { name: "Send event" }).click();
    await page.locator("dialog[open]").getByRole("button", { name: "Send event" }).click();
    await page.getByText("Event sent.").waitFor();
    assert.deepEqual((await client.client.next("order.paid")).data, { a: 1 });
    const row = page.locator(".events-table tbody tr", { hasText: "order.paid" });
    await row.getByText("Rollcall").waitFor();
  });

  it.inLongRun("go on after the connection was lost, and say when the app is removed", async () => {
    const id = await addApp(harness.ada, "Gone soon");
    const app = await revealed(harness.ada, id);
    const port = new URL(harness.server.origin).port;
    const appLibrary = new Pusher({ appId: id, ...app, host: "127.0.0.1", port });
    await using person = await meet(harness.ben);
    person.expectsConsoleErrors = true;
    const page = await inspecting(person, app, "orders");
    const connected = page.waitForEvent("websocket");
    // It closes the sockets of the session.
    await harness.ben.submit("/admin/online/counted", { counted: "no" });
    await connected;
    const event = page.locator(".events-name", { hasText: "paid" });
    await until(async () => {
      await appLibrary.trigger("orders", "paid", {});
      return await event.count() > 0;
    });
    await harness.ada.submit(`/admin/settings/connect/apps/${id}/remove`, {});
    await page.locator("#events .notice", { hasText: "This app no longer exists." }).waitFor();
    await page.locator("#channel .notice", { hasText: "This app no longer exists." }).waitFor();
  });

  it.inLongRun("are plain tables with a reload without script", async () => {
    await using client = await AppClient.connect(harness.server, shop);
    await client.join("plain.1");
    await using person = await harness.meet(harness.ada, { javaScriptEnabled: false });
    const page = await person.open("/admin/channels");
    await page.getByRole("searchbox").fill("plain");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("link", { name: "plain.1" }).click();
    await page.getByRole("link", { name: "Record the events of the next minute" }).click();
    await library.trigger("plain.1", "paid", { total: "17.50" });
    await page.reload();
    await page.getByRole("button", { name: "Show data of paid" }).click();
    await page.getByText("17.50").waitFor();
    await page.getByRole("link", { name: "Back to the channel" }).click();
    await page.getByLabel("Event", { exact: true }).fill("note");
    await page.getByRole("button", { name: "Send event" }).click();
    await page.getByRole("button", { name: "Send event" }).click();
    await page.getByText("Event sent.").waitFor();
    await client.client.next("note");
  });
});
