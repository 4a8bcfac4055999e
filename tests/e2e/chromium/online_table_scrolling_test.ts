import assert from "node:assert/strict";
import { beforeAll, beforeEach, describe } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { heightOf, Person, seesList } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { it } from "../../fixtures/long_run.ts";
import { until } from "../../fixtures/eventually.ts";
import { MemberSockets } from "../../fixtures/member_sockets.ts";

const app = { id: "4711", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };

describe("a long online table", () => {
  const harness = BrowserHarness.ofGroup({
    PUSHER_APP_KEY: app.key,
    PUSHER_APP_SECRET: app.secret,
    PRESENCE_GRACE_MS: "0",
  });

  let members: MemberSockets;
  let admin: Person;
  let page: Page;

  beforeAll(async () => {
    members = harness.use(new MemberSockets(harness.server, app));
    await members.join(...Array.from({ length: 200 }, (_, index) => `m-${1_000 + index}`));
    admin = harness.use(await harness.meet(harness.ada));
    page = await admin.context.newPage();
  });

  beforeEach(async () => {
    await page.goto("/admin/online");
    await seesList(page);
    await page.getByText("201 people").waitFor();
  });

  const scrollTo = (top: number) =>
    page.locator(".online-table-box").evaluate((box, top) => box.scrollTop = top, top);

  it("renders the visible rows only, with the number of all rows", async () => {
    const drawn = await page.locator(".online-table tbody tr[data-id]").count();
    assert.ok(drawn >= 10 && drawn <= 30, `${drawn} rows`);
    assert.equal(
      await page.getByRole("table", { name: "Who is online" }).getAttribute("aria-rowcount"),
      "202",
    );
    const height = await page.locator(".online-table-box").evaluate((box) => box.scrollHeight);
    await scrollTo(height);
    const last = page.locator(".online-table tr[data-id='m-1199']");
    await last.waitFor();
    assert.equal(await last.getAttribute("aria-rowindex"), "202");
    assert.equal(
      await page.locator(".online-table-box").evaluate((box) => box.scrollHeight),
      height,
    );
  });

  it("stays in place while people join and leave above", async () => {
    await scrollTo(3_650);
    const seen = await heightOf(page, "m-1095");
    await members.join("a-1", "a-2", "a-3");
    await page.getByText("204 people").waitFor();
    assert.equal(await heightOf(page, "m-1095"), seen);
    await members.leave("a-1", "a-2", "a-3");
    await page.getByText("201 people").waitFor();
    assert.equal(await heightOf(page, "m-1095"), seen);
  });

  it("scrolls with the page on a phone, below the search, and stays in place too", async () => {
    await using reader = await harness.meet(harness.ada, { viewport: { width: 390, height: 844 } });
    const page = await reader.open("/admin/online");
    await seesList(page);
    const row = page.locator(".online-table tr[data-id='m-1095']");
    const all = page.locator(".online-table tbody");
    await until(async () => (await all.boundingBox())!.height === 201 * 56);
    await page.evaluate(() => globalThis.scrollTo(0, 6_000));
    await row.waitFor();
    const [seen, search] = [await heightOf(page, "m-1095"), page.locator("#online-table .search")];
    assert.equal((await row.boundingBox())?.height, 56);
    assert.equal((await search.boundingBox())?.y, 0);
    await members.join("a-1", "a-2", "a-3");
    await page.getByText("204 people").waitFor();
    assert.equal(await heightOf(page, "m-1095"), seen);
    await members.leave("a-1", "a-2", "a-3");
    await page.getByText("201 people").waitFor();
    assert.equal(await heightOf(page, "m-1095"), seen);
    const drawn = await page.locator(".online-table tbody tr[data-id]").count();
    assert.ok(drawn >= 13 && drawn <= 30, `${drawn} rows`);
    await page.getByRole("searchbox").fill("m-10");
    await page.getByText("100 of 201 people").first().waitFor();
    await until(async () => (await heightOf(page, "m-1000")) >= 52);
  });

  it("does not move rows under the pointer, and shows new people when it leaves", async () => {
    const row = page.locator(".online-table tr[data-id='m-1003']");
    await row.hover();
    const seen = await heightOf(page, "m-1003");
    await members.join("a-1", "a-2");
    await page.getByText("203 people").waitFor();
    assert.equal(await heightOf(page, "m-1003"), seen);
    await page.mouse.move(5, 5);
    await page.waitForFunction(() => document.querySelector(".online-table-box")?.scrollTop === 0);
    await page.locator(".online-table tr[data-id='a-1']").waitFor();
    await members.leave("a-1", "a-2");
    await page.getByText("201 people").waitFor();
  });

  it.inLongRun("moves from row to row by keyboard, with one row in the tab order", async () => {
    // It comes once the admin's page has reported that it is used.
    await page.getByRole("link", { name: "Active 1" }).waitFor();
    await page.getByRole("searchbox").focus();
    for (let stops = 0; stops < 8; stops++) await page.keyboard.press("Tab");
    assert.equal(await focused(page), "Ada");
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused(page), "m-1000");
    await page.keyboard.press("End");
    assert.equal(await focused(page), "m-1199");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("PageUp");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.closest(".online-table")), null);
    await page.keyboard.press("Shift+Tab");
    assert.match(await focused(page) ?? "", /^m-118\d$/);
    await page.keyboard.press("Home");
    assert.equal(await focused(page), "Ada");
  });

  it("keeps the focus on a moving row, and moves it on when the row is removed", async () => {
    await members.join("m-1010b");
    // Its name can come after the row.
    await page.locator(".online-table").getByRole("link", { name: "m-1010b" }).focus();
    await members.join("a-1", "m-1005b");
    await page.getByText("204 people").waitFor();
    assert.equal(await focused(page), "m-1010b");
    await scrollTo(6_400);
    await page.locator(".online-table tr[data-id='m-1160']").waitFor();
    assert.equal(await focused(page), "m-1010b");
    await page.getByRole("button", { name: "Tabs" }).click();
    await scrollTo(0);
    await page.locator(".online-table tr[data-id='m-1010b'] a").focus();
    await members.leave("m-1010b");
    await page.getByText("203 people").waitFor();
    assert.equal(await focused(page), "m-1011");
    await members.leave("a-1", "m-1005b");
    await page.getByText("201 people").waitFor();
    assert.equal(await focused(page), "m-1011");
    await members.join("z-1");
    await page.getByRole("searchbox").fill("z-1");
    await page.locator(".online-table tr[data-id='z-1'] a").focus();
    await members.leave("z-1");
    await page.locator(".online-table tr[data-id='z-1']").waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.activeElement?.className), "online-table-box");
  });
});

function focused(page: Page): Promise<string | null> {
  return page.evaluate(() => document.activeElement?.textContent ?? null);
}
