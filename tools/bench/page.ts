import type { Browser, Page } from "playwright-core";
import { launchBrowser, Person } from "@/tests/fixtures/browser.ts";
import type { HttpVisitor } from "@/tests/fixtures/http_visitor.ts";
import { moveIn } from "@/tests/fixtures/people.ts";
import { Rollcall } from "@/tests/fixtures/rollcall.ts";
import { slowedBy, timesToLive } from "./first_number.ts";
import { measureInput, report } from "./page_report.ts";
import { percentile } from "./report.ts";

/**
 * `deno task bench:page [MEMBERS] [CHANGES]`: what the live view costs in Chromium while people join and
 * leave, with ticker and history: the time from an input to the next frame, the CPU time of tasks, and
 * how soon the number is live on a slow device.
 */
const members = Number(Deno.args[0] ?? "3000");
const changes = Number(Deno.args[1] ?? "40");

/** How often each input is made, and each page is loaded. */
const [rounds, loads] = [40, 5];

await using server = await Rollcall.start(
  { PRESENCE_GRACE_MS: "0", PRESENCE_MAX_MEMBERS: String(2 * members) },
  undefined,
  "tools/bench/page_server.ts",
);
const [visitor] = await moveIn(server);
await fetch(`${server.origin}/bench?members=${members}&changes=${changes}`, { method: "POST" })
  .then((response) => response.text());
const browser = await launchBrowser();
await measureUse(browser, visitor);
await measureLoading(browser, visitor);
await browser.close();

async function measureUse(browser: Browser, visitor: HttpVisitor): Promise<void> {
  await using admin = await Person.meet(browser, server.origin, { visitor });
  // On a machine that is too busy the connection may drop, which the figures then show.
  admin.expectsConsoleErrors = true;
  const page = await admin.open("/admin/online");
  await page.waitForSelector('.online-table-list[data-status="live"]');
  const [load] = Deno.loadavg();
  const { hardwareConcurrency: cores } = navigator;
  const crowd = await page.locator(".online-table-foot").innerText();
  console.log(`${crowd}; the machine has ${cores} cores and a load of ${load.toFixed(1)}`);
  await page.evaluate(measureInput);
  await report(browser, "nothing", page, () => page.waitForTimeout(10_000));
  await report(browser, "typing in the search", page, () => typeNames(page));
  await report(browser, "a click on a head", page, () => clickHeads(page));
  await report(browser, "scrolling", page, () => scroll(page));
}

async function measureLoading(browser: Browser, visitor: HttpVisitor): Promise<void> {
  for (const path of ["/admin/online", "/"]) {
    const { origin } = server;
    const times = await timesToLive(browser, { origin, visitor, path, rounds: loads });
    console.log(
      `${path} with a CPU ${slowedBy} times slower: live after ${median(times.empty)} ms, ` +
        `${median(times.cached)} ms with its files in the cache (target 1000); ` +
        `its main thread takes ${median(times.cpu)} ms of CPU time for it, not slowed`,
    );
  }
}

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

function median(numbers: number[]): string {
  return percentile(numbers, 50).toFixed(0);
}
