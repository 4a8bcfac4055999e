import assert from "node:assert/strict";
import { beforeAll, describe, it } from "@std/testing/bdd";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { MemberSockets } from "../../fixtures/member_sockets.ts";
import { seesList, seesNames } from "../../fixtures/browser.ts";

const app = { id: "4711", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };
const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `m-${from + index}`);

describe("the online table in the HTML", () => {
  const harness = BrowserHarness.ofGroup({
    PUSHER_APP_KEY: app.key,
    PUSHER_APP_SECRET: app.secret,
    PRESENCE_GRACE_MS: "0",
  });

  let members: MemberSockets;

  beforeAll(async () => {
    members = harness.use(new MemberSockets(harness.server, app));
    await members.join(...names(1_000, 1_120));
  });

  it("has pages of 30, search and sorting by forms and links without script", async () => {
    await using reader = await harness.meet(harness.ada, { javaScriptEnabled: false });
    const page = await reader.open("/admin/online");
    /** Does what loads the page again, and waits for that: a click does not. */
    const loaded = (act: () => Promise<void>) => Promise.all([page.waitForEvent("load"), act()]);
    const shown = () => page.locator(".online-table tbody th a").allTextContents();
    assert.deepEqual(await shown(), ["Ada", ...names(1_000, 1_029)]);
    assert.match(await page.locator(".connections").innerText(), /^121 tabs$/);
    assert.match(await page.locator("#online-table").innerText(), /121 people[^]*Page 1 of 5/);
    await loaded(() => page.getByRole("link", { name: "Next", exact: true }).click());
    assert.deepEqual(await shown(), names(1_029, 1_059));
    const first = page.locator(".online-table tbody tr").first();
    assert.equal(await first.getAttribute("aria-rowindex"), "32");
    await loaded(() => page.getByRole("button", { name: "Name" }).click());
    assert.equal((await shown())[0], "m-1119");
    assert.equal(await page.locator("[aria-sort]").getAttribute("aria-sort"), "descending");
    await page.getByRole("searchbox").fill("M-111");
    await loaded(() => page.getByRole("searchbox").press("Enter"));
    assert.deepEqual(await shown(), names(1_110, 1_120).reverse());
    assert.match(await page.locator("#online-table").innerText(), /10 of 121 people$/m);
    await loaded(() => page.getByRole("button", { name: "Name" }).click());
    assert.deepEqual(await shown(), names(1_110, 1_120));
    const time = page.locator(".online-table time").first();
    assert.match(await time.getAttribute("title") ?? "", /UTC$/);
    assert.ok(Date.parse(await time.getAttribute("datetime") ?? "") > Date.now() - 600_000);
  });

  it("keeps its search, order and layout when script starts", async () => {
    await using reader = await harness.meet(harness.ada);
    await reader.context.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(globalThis, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          // The browser's types have no layout shifts.
          shifts.push((entry as unknown as { value: number }).value);
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    const page = await reader.open("/admin/online?q=m-111&sort=-name");
    await seesList(page);
    await seesNames(page, names(1_110, 1_120).reverse());
    assert.equal(await page.getByRole("searchbox").inputValue(), "m-111");
    await page.goto("/admin/online");
    await seesList(page);
    await page.getByText("121 people").waitFor();
    // The page's global variable.
    const shifts = await page.evaluate(() =>
      (globalThis as unknown as { shifts: number[] }).shifts
    );
    assert.ok(shifts.reduce((sum, shift) => sum + shift, 0) < 0.012, `shifts: ${shifts}`);
    assert.equal(await page.getByRole("link", { name: "Next", exact: true }).count(), 0);
  });
});
