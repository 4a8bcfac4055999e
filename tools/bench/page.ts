import type { Page } from "playwright-core";
import { launchBrowser, Person } from "../../tests/fixtures/browser.ts";
import { moveIn } from "../../tests/fixtures/people.ts";
import { Rollcall } from "../../tests/fixtures/rollcall.ts";
import { measureInput } from "./page_figures.ts";
import { report } from "./page_report.ts";

/**
 * `deno task bench:page [MEMBERS] [CHANGES]`: the time in Chromium from an input on the page with
 * the online table to the next frame, while people join and leave.
 */
const members = Number(Deno.args[0] ?? "10000");
const changes = Number(Deno.args[1] ?? "50");

/** How often each input is made. */
const rounds = 40;

await using server = await Rollcall.start(
  { PRESENCE_GRACE_MS: "0", PRESENCE_MAX_MEMBERS: String(2 * members) },
  undefined,
  "tools/bench/page_server.ts",
);
const [visitor] = await moveIn(server);
await fetch(`${server.origin}/bench?members=${members}&changes=${changes}`, { method: "POST" })
  .then((response) => response.text());
const browser = await launchBrowser();
{
  await using admin = await Person.meet(browser, server.origin, { visitor });
  // On a machine that is too busy the connection may drop, which the figures then show.
  admin.expectsConsoleErrors = true;
  await admin.open("/admin/online");
  await admin.page.waitForSelector('.online-table-list[data-status="live"]');
  const [load] = Deno.loadavg();
  const { hardwareConcurrency: cores } = navigator;
  const crowd = await admin.page.locator(".online-table-foot").innerText();
  console.log(`${crowd}; the machine has ${cores} cores and a load of ${load.toFixed(1)}`);
  await admin.page.evaluate(measureInput);
  await report("nothing", admin.page, async (page) => {
    await page.waitForTimeout(10_000);
  });
  await report("typing in the search", admin.page, typeNames);
  await report("a click on a head", admin.page, clickHeads);
  await report("scrolling", admin.page, scroll);
}
await browser.close();

async function typeNames(page: Page): Promise<void> {
  const search = page.getByRole("searchbox");
  await search.focus();
  for (let round = 0; round < rounds / 8; round++) {
    await page.keyboard.type("bauer 1", { delay: 120 });
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("Delete");
    await page.waitForTimeout(120);
  }
}

async function clickHeads(page: Page): Promise<void> {
  const heads = page.locator(".online-table thead button");
  for (let round = 0; round < rounds; round++) {
    await heads.nth(round % 5).click();
    await page.waitForTimeout(120);
  }
}

async function scroll(page: Page): Promise<void> {
  await page.locator(".online-table-box").hover();
  for (let round = 0; round < rounds; round++) {
    await page.mouse.wheel(0, 2_000);
    await page.waitForTimeout(120);
  }
}
