import { strict as assert } from "node:assert";
import { describe } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { heightOf, seesList, seesLive, seesNames } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { it } from "../../fixtures/long_run.ts";
import { largeAbove, smallBelow } from "@/server/live_view/channel_publisher.ts";

describe("the live view with more users than a page gets a list of", () => {
  const harness = BrowserHarness.ofGroup({}, { program: "tests/fixtures/crowded_app.ts" });

  /** Has as many others online. */
  async function crowd(members: number, churn = 0): Promise<void> {
    const url = `${harness.server.origin}/crowd?members=${members}&churn=${churn}`;
    await (await fetch(url, { method: "POST" })).text();
  }

  const seesFoot = (page: Page, text: string) =>
    page.locator(".online-table-foot p", { hasText: text }).first().waitFor();

  it.inLongRun("has number, list, search, sort and ticker right below the size, above it and in between", async () => {
    await using admin = await harness.meet(harness.ada);
    await crowd(3);
    const page = await admin.open("/admin/online");
    await seesLive(page, 4);
    await seesNames(page, ["Ada", "Member 00000", "Member 00001", "Member 00002"]);

    await crowd(largeAbove + 100);
    await seesLive(page, largeAbove + 101);
    await seesList(page);
    await seesFoot(page, "5,101 people");
    await page.getByText("5,101 tabs").waitFor();
    assert.match(await page.title(), /^\(5,101\)/);

    await page.getByRole("searchbox").fill("member 0041");
    const found = ["00041", ...Array.from({ length: 10 }, (_, last) => `0041${last}`)]
      .map((number) => `Member ${number}`);
    await seesNames(page, found);
    await seesFoot(page, "11 of 5,101 people");
    await page.getByRole("button", { name: "Name" }).click();
    await seesNames(page, found.toReversed());
    await page.locator("[aria-live=polite]", { hasText: "11 of 5,101 people" }).waitFor({
      state: "attached",
    });

    await crowd(smallBelow - 10);
    await seesLive(page, smallBelow - 9);
    await seesList(page);
    await seesNames(page, found.toReversed());
    await crowd(2);
    await page.getByRole("searchbox").fill("");
    await seesLive(page, 3);
    await seesNames(page, ["Member 00001", "Member 00000", "Ada"]);
  });

  it("is sent its number and the rows that it shows, and keeps what is read in its place", async () => {
    await crowd(largeAbove + 10);
    await using admin = await harness.meet(harness.ada);
    const names: string[] = [];
    admin.context.on(
      "page",
      (opened) =>
        opened.on(
          "websocket",
          (socket) =>
            socket.on("framereceived", ({ payload }) =>
              names.push(JSON.parse(String(payload)).event)),
        ),
    );
    const page = await admin.open("/admin/online");
    await seesLive(page, largeAbove + 11);
    await seesList(page);
    // Until the rows are there, the box has the rows of the HTML, which are too few to scroll as far.
    await page.waitForFunction((people) => {
      const box = document.querySelector(".online-table-box");
      return box !== null && box.scrollHeight > 20 * people;
    }, largeAbove);

    const box = page.locator(".online-table-box");
    await box.evaluate((box) => box.scrollTop = box.scrollHeight / 2);
    // Rows of the previous place stay in the document until the box is drawn again.
    const row = page.locator('.online-table tr[data-id][aria-rowindex^="25"]').nth(9);
    await row.hover();
    const id = await row.getAttribute("data-id");
    const height = await heightOf(page, id!);
    const scrolled = () => box.evaluate((box) => box.scrollTop);
    const before = await scrolled();
    // The first ones in the list leave, and as many join at its end.
    await crowd(largeAbove + 10, 200);
    await page.waitForFunction((before) => {
      const box = document.querySelector(".online-table-box");
      return box !== null && box.scrollTop < before - 1_000;
    }, before);
    assert.equal(await heightOf(page, id!), height);

    await page.getByRole("button", { name: "Tabs" }).click();
    await page.locator("[aria-sort=descending]").waitFor();
    assert.ok(names.includes("App\\Events\\OnlineSummary"));
    assert.ok(names.includes("rollcall:count"));
    const everyone = ["pusher_internal:member_added", "App\\Events\\OnlineChanged"];
    assert.deepEqual(names.filter((name) => everyone.includes(name)), []);
  });

  it.inLongRun("announces the matches of a search once the server has found them", async () => {
    await crowd(largeAbove + 10);
    await using admin = await harness.meet(harness.ada);
    const found = Promise.withResolvers<void>();
    await admin.context.route("**/admin/online/rows?*", async (route) => {
      await found.promise;
      await route.continue();
    });
    const page = await admin.open("/admin/online");
    await seesLive(page, largeAbove + 11);
    const announcement = page.locator("#online-table [aria-live=polite]", { hasText: "people" });
    await page.getByRole("searchbox").fill("member 0");
    await page.locator(".online-table-foot p", { hasText: " of 5,011 people" }).waitFor();
    assert.equal(await announcement.count(), 0);
    found.resolve();
    await announcement.waitFor({ state: "attached" });
    assert.equal(await announcement.textContent(), "5,010 of 5,011 people");
  });

  it.inLongRun("shows on the page of a person whether it is online", async () => {
    await crowd(largeAbove + 10);
    await using admin = await harness.meet(harness.ada);
    const { ids } = await (await fetch(`${harness.server.origin}/crowd`)).json();
    const page = await admin.open(`/admin/people/${ids.at(-1)}`);
    await page.locator(".badge", { hasText: "Online" }).waitFor();
    await crowd(largeAbove + 9);
    await page.locator(".badge", { hasText: "Offline" }).waitFor();
  });

  it.inLongRun("has rows in its HTML, searched and page by page", async () => {
    await crowd(largeAbove + 10);
    const { ids } = await (await fetch(`${harness.server.origin}/crowd`)).json();
    const { text } = await harness.ada.get(`/admin/online?q=${ids[77]}`);
    assert.ok(text.includes(`data-id="${ids[77]}"`));
    const last = await harness.ada.get("/admin/online?part=168");
    assert.ok(last.text.includes(`data-id="${ids.at(-1)}"`), "the last page has the last person");
  });
});
