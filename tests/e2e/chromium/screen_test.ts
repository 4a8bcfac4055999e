import { strict as assert } from "node:assert";
import { beforeAll, describe } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { Person, seesLive } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { until } from "../../fixtures/eventually.ts";
import { it } from "../../fixtures/long_run.ts";

/** A shift of a page's layout, as the browser reports it. */
interface LayoutShift {
  value: number;
  sources: { node: Node | null }[];
}

/** A shift, and the HTML around what moved. */
interface Shift {
  value: number;
  moved: (string | undefined)[];
}

describe("the screen Current Users Online", () => {
  const harness = BrowserHarness.ofGroup();
  let person: Person;
  let page: Page;

  beforeAll(async () => {
    person = harness.use(await harness.meet(harness.ada, { reducedMotion: "reduce" }));
    page = await person.open("/admin/online");
    await seesLive(page, 1);
  });

  it("has this title, in the heading and in the tab", async () => {
    assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "Current Users Online");
    assert.match(await page.title(), /^\(1\) Current Users Online/);
  });

  it("mounts on the element with id app", async () => {
    assert.equal(await page.locator("div#app").count(), 1);
    assert.equal(await page.locator("div#app .online-number").count(), 1);
  });

  it("has the title of the chart, and a drawing area 100 px high", async () => {
    const chart = page.locator("#online figure");
    assert.match(await chart.innerText(), /Number of users online/);
    const canvas = await chart.locator("canvas").boundingBox();
    assert.equal(canvas?.height, 100);
  });

  it("redraws one bar when a user joins and leaves", async () => {
    await until(async () => await barHeight(page) > 0, "the bar was drawn");
    const alone = await barHeight(page);
    const other = await harness.meet(harness.ben);
    await other.open("/admin/online");
    await seesLive(page, 2);
    await until(async () => await barHeight(page) > alone, "the bar was higher");
    await other[Symbol.asyncDispose]();
    await seesLive(page, 1);
    await until(async () => await barHeight(page) === alone, "the bar was as high as before");
  });

  it("has the number as text, including the viewer, and a text alternative of the chart", async () => {
    assert.match(await page.locator("#online").innerText(), /1\s+user online, including you/);
    assert.match(
      await page.locator("#online").getByRole("img").getAttribute("aria-label") ?? "",
      /^Bar chart: 1 user online\.$/,
    );
  });

  it.inLongRun("leaves out an admin who only watches, in all tabs, until counting is switched on", async () => {
    await using other = await harness.meet(harness.ben);
    await other.open("/admin/online");
    await seesLive(page, 2);
    const tab = await other.open("/");
    await seesLive(tab, 2);
    const counted = other.page.getByRole("switch", { name: "Count me", checked: true });
    await counted.click();
    await other.page.getByRole("switch", { checked: false }).waitFor();
    for (const shown of [page, other.page, tab]) await seesLive(shown, 1);
    assert.match(
      await other.page.locator("#online").innerText(),
      /1\s+user online, not including you/,
    );
    for (const shown of [page, other.page]) await seesListed(shown, ["Ada"]);
    await other.page.reload();
    await seesLive(other.page, 1);
    assert.match(await other.page.locator("#online").innerText(), /not including you/);
    await other.page.getByRole("switch").click();
    for (const shown of [page, other.page, tab]) await seesLive(shown, 2);
    assert.match(await other.page.locator("#online").innerText(), /users online, including you/);
    await seesListed(page, ["Ada", "Ben"]);
  });

  it.inLongRun("leaves the viewer out without script too", async () => {
    // Until then, the viewer's pages of before still count.
    await seesLive(page, 1);
    await using reader = await harness.meet(harness.ben, { javaScriptEnabled: false });
    await reader.open("/admin/online");
    await reader.page.getByRole("switch", { name: "Count me", checked: true }).click();
    await reader.page.getByRole("switch", { checked: false }).waitFor();
    const text = await reader.page.locator("#online").innerText();
    assert.match(text, /1\s+user online, not including you/);
    assert.match(text, /1 tab\b/);
    await seesListed(reader.page, ["Ada"]);
    await reader.open("/admin/activity/admins");
    assert.equal(await reader.context.pages()[1].locator(".users-count-number").innerText(), "1");
  });

  it("shows that it is live, without the time of an update", async () => {
    const text = await page.locator("#online").innerText();
    assert.match(text, /^Live$/m);
    assert.doesNotMatch(text, /updated|\d:\d\d/i);
  });

  it("has the number in the HTML before any script runs", async () => {
    await using reader = await harness.meet(harness.ben, { javaScriptEnabled: false });
    await reader.open("/admin/online");
    const text = await reader.page.locator("#online").innerText();
    assert.match(text, /2\s+users online, including you/);
    assert.match(text, /Updated \d\d:\d\d:\d\d UTC/);
  });

  it("does not change its layout when script starts", async () => {
    const tab = await person.context.newPage();
    await tab.addInitScript(() => {
      const shifts: Shift[] = [];
      Object.assign(globalThis, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          // The browser's types have no layout shifts.
          const { value, sources } = entry as unknown as LayoutShift;
          shifts.push({ value, moved: sources.map(({ node }) => node?.parentElement?.outerHTML) });
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    // So slow that the page is drawn before all of its HTML is there.
    const machine = await tab.context().newCDPSession(tab);
    await machine.send("Emulation.setCPUThrottlingRate", { rate: 12 });
    await machine.send("Network.enable");
    await machine.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 20,
      downloadThroughput: 20_000,
      uploadThroughput: 20_000,
    });
    await tab.goto("/admin/online");
    await seesLive(tab, 1);
    // The page's global variable.
    const shifts = await tab.evaluate(() => (globalThis as unknown as { shifts: Shift[] }).shifts);
    assert.ok(shifts.reduce((sum, { value }) => sum + value, 0) < 0.02, JSON.stringify(shifts));
    await tab.close();
  });

  it.inLongRun("connects to the address that it was loaded from", async () => {
    const [socket] = await Promise.all([page.waitForEvent("websocket"), page.reload()]);
    const url = new URL(socket.url());
    assert.equal(url.host, new URL(harness.server.origin).host);
    assert.match(url.pathname, /^\/app\/[0-9a-f]{20}$/);
  });

  it.inLongRun("works by keyboard, with a visible focus", async () => {
    await page.reload();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Skip to content");
    await page.keyboard.press("Tab");
    const outline = await page.evaluate(() =>
      getComputedStyle(document.activeElement ?? document.body).outlineStyle
    );
    assert.notEqual(outline, "none");
  });

  it("fits a screen 390 px wide", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    const overflow = await page.evaluate(() =>
      document.documentElement.scrollWidth - document.documentElement.clientWidth
    );
    assert.equal(overflow, 0);
  });

  it("lists the first person on the first screen of a desk and of a phone", async () => {
    for (const [width, height, most] of [[1280, 800, 370], [390, 844, 400]]) {
      await page.setViewportSize({ width, height });
      const top = await page.locator("#online-table tbody tr").first().evaluate((row) =>
        row.getBoundingClientRect().top + scrollY
      );
      assert.ok(top <= most, `${width}: ${top}`);
    }
  });

  it("has its navigation at the bottom of a phone, which hides nothing of the page's end", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
    const names = ["Live", "Activity", "Channels", "Settings"];
    assert.deepEqual(await links.allInnerTexts(), names);
    const boxes = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect()));
    const [{ top }] = boxes;
    for (const { bottom, width, height } of boxes) {
      assert.ok(bottom <= 844 && width >= 44 && height >= 44, JSON.stringify(boxes));
    }
    const end = await page.locator(".site-footer").evaluate((footer) => {
      scrollTo(0, document.documentElement.scrollHeight);
      return footer.getBoundingClientRect().bottom;
    });
    assert.ok(end <= top, `${end} of ${top}`);
    await page.evaluate(() => scrollTo(0, 0));
  });

  it.inLongRun("has a header of one row from 768 px on", async () => {
    for (const width of [768, 961]) {
      await page.setViewportSize({ width, height: 800 });
      const centres = await page.locator(".site-header > *").evaluateAll((parts) =>
        parts.map((part) => part.getBoundingClientRect())
          .map(({ top, height }) => Math.round(top + height / 2))
      );
      assert.equal(centres.length, 4);
      assert.equal(new Set(centres).size, 1, `${width}: ${centres}`);
    }
  });
});

/** Waits until the table has these people. */
async function seesListed(page: Page, names: string[]): Promise<void> {
  const rows = page.locator(".online-table-name a");
  await until(async () => `${await rows.allInnerTexts()}` === `${names}`, `${names} are listed`);
}

/** The height of the coloured bar in the middle of the chart, in device pixels. */
function barHeight(page: Page): Promise<number> {
  return page.evaluate(measureBar);
}

function measureBar(): number {
  const canvas = document.querySelector("canvas");
  const context = canvas?.getContext("2d");
  if (!canvas || !context) return 0;
  let height = 0;
  for (const column of [0.4, 0.5, 0.6]) {
    const { data } = context.getImageData(Math.round(canvas.width * column), 0, 1, canvas.height);
    let filled = 0;
    for (let at = 3; at < data.length; at += 4) if (data[at] > 200) filled++;
    height = Math.max(height, filled);
  }
  return height;
}
