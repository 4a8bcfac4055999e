import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import type { Request } from "playwright-core";
import { seesLive, seesStatus } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { until } from "../../fixtures/eventually.ts";

/** What a page asks for again and again, at its own time. */
const askedLater = [
  "/admin/online/seen",
  "/admin/online/activity",
  "/admin/online/history",
  "/admin/settings/connect/status",
];

describe("the requests that a page makes", () => {
  const harness = BrowserHarness.ofGroup();

  it("carry X-Requested-With, the CSRF token of the meta tag and the socket id", async () => {
    await using person = await harness.meet(harness.ada);
    const requests: Request[] = [];
    person.context.on("request", (request) => {
      if (["xhr", "fetch"].includes(request.resourceType())) requests.push(request);
    });
    await person.open("/admin/online");
    const { page } = person;
    await seesLive(page, 1);
    await page.waitForSelector('.online-table-list[data-status="live"]');
    const token = await page.locator('meta[name="csrf-token"]').getAttribute("content");
    await page.evaluate(() => fetch("/sign-in"));

    const paths = requests.map((request) => new URL(request.url()).pathname);
    const kinds = new Set(paths.filter((path) => !askedLater.includes(path)));
    assert.deepEqual([...kinds].slice(0, 3), [
      "/broadcasting/auth",
      "/admin/online/snapshot",
      "/sign-in",
    ]);
    for (const request of requests) {
      const headers = await request.allHeaders();
      assert.equal(headers["x-requested-with"], "XMLHttpRequest");
      assert.equal(headers["x-csrf-token"], token);
      assert.match(headers["x-socket-id"], /^\d+\.\d+$/);
    }
  });

  it("log the error CSRF token not found when the meta tag is missing", async () => {
    await using person = await harness.meet(harness.ada);
    person.expectsConsoleErrors = true;
    await person.context.addInitScript(() => {
      const remove = () => document.querySelector('meta[name="csrf-token"]')?.remove();
      new MutationObserver(remove).observe(document, { childList: true, subtree: true });
    });
    await person.open("/admin/online");
    await seesStatus(person.page, "refused");
    assert.ok(person.consoleErrors.some((text) => text.includes("CSRF token not found")));
  });

  it("join with Echo and receive events of the namespace App.Events", async () => {
    await using person = await harness.meet(harness.ada);
    const frames: string[] = [];
    person.context.on("page", (page) => {
      page.on("websocket", (socket) => {
        socket.on("framesent", ({ payload }) => frames.push(String(payload)));
      });
    });
    await person.open("/admin/online");
    await seesLive(person.page, 1);
    const joined = () =>
      frames.map((frame) => JSON.parse(frame))
        .filter(({ event }) => event === "pusher:subscribe").map(({ data }) => data);
    await until(() => joined().length >= 3, "the page had joined three channels");
    const [counted] = joined().filter(({ channel }) => channel === "presence-chart");
    const { user_id: id, user_info: info } = JSON.parse(counted.channel_data);
    assert.deepEqual(joined().map(({ channel }) => channel).sort(), [
      "presence-chart",
      "private-rollcall.online",
      `private-rollcall.users.${id}`,
    ]);
    assert.deepEqual(Object.keys(info), ["id"], "nothing but an opaque id is told to others");
  });
});
