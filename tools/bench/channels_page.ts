import { launchBrowser, Person } from "@/tests/fixtures/browser.ts";
import { moveIn } from "@/tests/fixtures/people.ts";
import { Rollcall } from "@/tests/fixtures/rollcall.ts";
import { measureInput, report } from "./page_report.ts";

/**
 * `deno run --config deno.dev.json -A tools/bench/channels_page.ts [CHANNELS]`: the time in Chromium from an input on the page
 * of all channels to the next frame, and the long tasks of a page that inspects a channel with 500
 * events a second.
 */
const channels = Number(Deno.args[0] ?? "10000");

/** How often each input is made. */
const rounds = 20;

await using server = await Rollcall.start({}, undefined, "tools/bench/page_server.ts");
const [visitor] = await moveIn(server);
await fetch(`${server.origin}/bench?channels=${channels}`, { method: "POST" })
  .then((response) => response.text());
const browser = await launchBrowser();
{
  await using admin = await Person.meet(browser, server.origin, { visitor });
  // On a machine that is too busy the connection may drop, which the figures then show.
  admin.expectsConsoleErrors = true;
  const page = await admin.open("/admin/channels");
  await page.locator('.channels-list[data-status="live"]').waitFor();
  console.log(await page.locator(".channels-foot").innerText());
  await page.evaluate(measureInput);
  await report(browser, "nothing", page, (page) => page.waitForTimeout(10_000));
  await report(browser, "typing in the search", page, async (page) => {
    await page.getByRole("searchbox").focus();
    for (let round = 0; round < rounds / 4; round++) {
      await page.keyboard.type("orders.01", { delay: 120 });
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.press("Delete");
      await page.waitForTimeout(300);
    }
  });
  await report(browser, "a click on a head", page, async (page) => {
    const heads = page.locator(".channels-table thead button");
    for (let round = 0; round < rounds; round++) {
      await heads.nth(round % 4).click();
      await page.waitForTimeout(300);
    }
  });
  await report(browser, "the next page", page, async (page) => {
    for (let round = 0; round < rounds; round++) {
      await page.getByRole("link", { name: "Next" }).click();
      await page.waitForTimeout(300);
    }
  });
  const first = await page.locator(".channels-table th a").first().getAttribute("href");
  await page.goto(String(first).replace(/orders\.\d+/, "orders.00000"));
  await page.locator("#events .status-live").waitFor();
  await page.evaluate(measureInput);
  await report(browser, "500 events a second", page, (page) => page.waitForTimeout(10_000));
  await report(browser, "typing in the filter of these events", page, async (page) => {
    await page.getByLabel("Filter by event").focus();
    await page.keyboard.type("moved moved moved", { delay: 120 });
  });
}
await browser.close();
