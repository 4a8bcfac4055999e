import assert from "node:assert/strict";
import { beforeAll, beforeEach, describe } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { Person, rowOf, seesList, seesLive, seesNames } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { it, withAndWithoutScript } from "../../fixtures/long_run.ts";
import { until } from "../../fixtures/eventually.ts";
import { MemberSockets } from "../../fixtures/member_sockets.ts";
import { addSignedIn } from "../../fixtures/signed_in.ts";

const app = { id: "4711", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };
const password = "correct horse battery";
const hostile = "<img src=x onerror=\"document.title='broken'\">";
const hostileId = "</td><script>document.title='broken'</script>";

describe("the online table", () => {
  const harness = BrowserHarness.ofGroup({
    PUSHER_APP_KEY: app.key,
    PUSHER_APP_SECRET: app.secret,
    PRESENCE_GRACE_MS: "0",
    ADMIT_GUESTS: "true",
  }, { role: "user" });

  let admin: Person;
  let page: Page;

  beforeAll(async () => {
    await harness.ada.submit("/admin/settings/team", {
      name: hostile,
      email: "eve@example.com",
      password,
      role: "user",
    });
    admin = harness.use(await harness.meet(harness.ada));
    page = await admin.context.newPage();
  });

  beforeEach(async () => {
    await page.goto("/admin/online");
    await seesList(page);
  });

  it("distinguishes users, guests and users of your own app, and marks the reader", async () => {
    await using other = await harness.meet(harness.ben);
    await using guest = await harness.meet();
    await using members = new MemberSockets(harness.server, app);
    await other.open("/");
    await guest.open("/");
    await members.join("shop-17");
    await seesNames(page, ["Ada", "Ben", /^Guest [0-9a-f]{4}$/, "shop-17"]);
    assert.match(await rowOf(page, "Ada").innerText(), /\(you\)\s+Admin/);
    await rowOf(page, "Ben").getByText("Active", { exact: true }).waitFor();
    const ben = await rowOf(page, "Ben").innerText();
    assert.match(ben, /User\s+\d+ s\s+under a minute\s+1\s.*Active/s);
    assert.match(await rowOf(page, "Guest").innerText(), /Guest [0-9a-f]{4}\s+Guest/);
    assert.match(await rowOf(page, "shop-17").innerText(), /User\s.*–/s);
    const link = await rowOf(page, "Ben").getByRole("link").getAttribute("href");
    assert.match(link ?? "", /^\/admin\/people\/[0-9a-f]{32}$/);
  });

  it.inLongRun("cuts a long name of the reader rather than the mark behind it, at any width", async () => {
    const name = "Wilhelmina Featherstonehaugh-Cholmondeley";
    const [visitor] = await addSignedIn(harness.server, [{
      name,
      email: "mina@example.com",
      role: "admin",
    }]);
    await using reader = await harness.meet(visitor);
    await reader.open("/admin/online");
    await seesList(reader.page);
    const row = rowOf(reader.page, name);
    for (const width of [1_280, 390]) {
      await reader.page.setViewportSize({ width, height: 800 });
      const shown = await row.evaluate((row) => {
        const [link, mark] = [row.querySelector("a")!, row.querySelector(".you")!];
        const end = row.querySelector("th")!.getBoundingClientRect().right;
        return {
          nameIsCut: link.scrollWidth > link.clientWidth,
          markIsWhole: mark.getBoundingClientRect().right <= end,
        };
      });
      assert.deepEqual(shown, { nameIsCut: true, markIsWhole: true }, `${width} px wide`);
    }
  });

  it("follows tabs, joins and leaves, with the number of connections", async () => {
    const says = (text: RegExp) => page.locator(".connections", { hasText: text }).waitFor();
    await seesLive(page, 1);
    await says(/^1 active, 1 tab$/);
    await using other = await harness.meet(harness.ben);
    await other.open("/");
    const second = await other.open("/");
    await rowOf(page, "Ben").getByRole("cell", { name: "2", exact: true }).waitFor();
    await seesLive(page, 2);
    await says(/^2 active, 3 tabs$/);
    await second.close();
    await rowOf(page, "Ben").getByRole("cell", { name: "1", exact: true }).waitFor();
    await other.page.close();
    await seesNames(page, ["Ada"]);
    await seesLive(page, 1);
    await says(/^1 active, 1 tab$/);
  });

  it("finds people by name and id, without case and accents, and counts them", async () => {
    await using members = new MemberSockets(harness.server, app);
    await members.join("Élodie", "elo-9", "zoë");
    await seesNames(page, ["Ada", "elo-9", "Élodie", "zoë"]);
    await page.getByRole("searchbox").fill("ELO");
    await seesNames(page, ["elo-9", "Élodie"]);
    await page.locator('[aria-live="polite"]', { hasText: "2 of 4 people" }).waitFor({
      state: "attached",
    });
    await members.join("elo-1");
    await seesNames(page, ["elo-1", "elo-9", "Élodie"]);
    await page.getByRole("searchbox").fill("unknown name");
    await page.getByText("No one online matches “unknown name”.").waitFor();
    await page.getByRole("searchbox").fill("");
    await seesNames(page, ["Ada", "elo-1", "elo-9", "Élodie", "zoë"]);
  });

  for (const javaScriptEnabled of withAndWithoutScript) {
    const script = javaScriptEnabled ? "with" : "without";

    it(`lists the people on a page after a click on it, ${script} script`, async () => {
      await using members = new MemberSockets(harness.server, app);
      const device = undefined;
      const on = (path: string, ...ids: string[]) =>
        ids.map((id) => ({ id, page: { path, device } }));
      await members.join(...on("/buy?now", "ann", "bob"), ...on("/a b", "cid"));
      await using reader = await harness.meet(harness.ada, { javaScriptEnabled });
      const page = await reader.open("/admin/online?q=b");
      const pages = page.locator("#top-pages");
      const chip = page.getByRole("navigation", { name: "Page", exact: true }).getByRole("link");
      const lists = async (address: string, ...expected: string[]) => {
        const rows = page.locator(".online-table tbody tr[data-id] th a");
        await until(async () => `${await rows.allTextContents()}` === `${expected}`);
        assert.match(page.url(), new RegExp(`${address}(&|#|$)`));
      };
      await page.locator(".top-pages-path", { hasText: "/buy" }).click();
      if (javaScriptEnabled) {
        await lists("q=b&page=%2Fbuy", "bob");
        await chip.filter({ hasText: "/buy 1 ×" }).waitFor();
        await page.getByRole("searchbox").fill("");
      }
      await lists("page=%2Fbuy", "ann", "bob");
      await chip.filter({ hasText: "/buy 2 ×" }).waitFor();
      if (javaScriptEnabled) {
        await members.join(...on("/buy", "dan"));
        await chip.filter({ hasText: "/buy 3 ×" }).waitFor();
        await members.leave("dan");
      }
      await chip.filter({ hasText: "/buy 2 ×" }).waitFor();
      await page.reload();
      await lists("page=%2Fbuy", "ann", "bob");
      await chip.click();
      await until(async () => await page.locator(".online-table tbody tr[data-id]").count() > 3);
      await chip.waitFor({ state: "detached" });
      await page.locator(".online-table-page a", { hasText: "/a b" }).click();
      await lists("page=%2Fa(\\+|%20)b", "cid");
      assert.equal(await pages.locator("a").count(), 2);
      assert.equal(await page.locator(".person-panel").count(), 0);
    });
  }

  it("sorts by each column, with the mouse and by keyboard, and marks the column", async () => {
    await using members = new MemberSockets(harness.server, app);
    await members.join("berta", "anton");
    await seesNames(page, ["Ada", "anton", "berta"]);
    await page.getByRole("button", { name: "Online for" }).click();
    await seesNames(page, ["anton", "berta", "Ada"]);
    const sorted = page.locator("[aria-sort]");
    assert.deepEqual([await sorted.innerText(), await sorted.getAttribute("aria-sort")], [
      "Online for",
      "descending",
    ]);
    await page.keyboard.press("Enter");
    await seesNames(page, ["Ada", "berta", "anton"]);
    assert.equal(await sorted.getAttribute("aria-sort"), "ascending");
    for (
      const [head, names] of [
        ["Type", ["Ada", "anton", "berta"]],
        ["Tabs", ["Ada", "anton", "berta"]],
        ["Activity", ["Ada", "anton", "berta"]],
        ["Name", ["Ada", "anton", "berta"]],
      ] as const
    ) {
      await page.getByRole("button", { name: head }).click();
      await seesNames(page, [...names]);
      assert.equal(await sorted.innerText(), head);
    }
    assert.equal(new URL(page.url()).searchParams.get("sort"), "name");
  });

  it.inLongRun("shows and finds names with markup as text", async () => {
    const eve = new HttpVisitor(harness.server.origin);
    await eve.signIn({ email: "eve@example.com", password });
    await using other = await harness.meet(eve);
    await using members = new MemberSockets(harness.server, app);
    await members.join(hostileId);
    await other.open("/");
    await seesNames(page, [hostileId, hostile, "Ada"]);
    await page.reload();
    await seesNames(page, [hostileId, hostile, "Ada"]);
    await page.getByRole("searchbox").fill('"><script>alert(1)</script>');
    await page.getByText('“"><script>alert(1)</script>”').waitFor();
    await page.goto(`/admin/online?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    await page.getByText('“"><script>alert(1)</script>”').waitFor();
    assert.match(await page.title(), /^(\(\d+\) )?Current Users Online/);
    assert.equal(await page.locator(".online-table img, .online-table script").count(), 0);
  });

  it.inLongRun("is a table for assistive technology, also on narrow screens", async () => {
    for (const width of [1_280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const table = page.getByRole("table", { name: "Who is online" });
      assert.equal(await table.getAttribute("aria-rowcount"), "2");
      assert.equal(await table.getByRole("row").count(), 2);
      assert.equal(await table.getByRole("columnheader").count(), 5);
      assert.equal(await table.getByRole("rowheader", { name: "Ada" }).count(), 1);
      assert.equal(await table.getByRole("cell").count(), 4);
      const overflow = await page.evaluate(() =>
        document.documentElement.scrollWidth - document.documentElement.clientWidth
      );
      assert.equal(overflow, 0);
    }
  });
});
