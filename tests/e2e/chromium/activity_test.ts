import { strict as assert } from "node:assert";
import { parse } from "csv-parse/sync";
import { beforeAll, describe } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { seesLive, signOut } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { until } from "../../fixtures/eventually.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { it } from "../../fixtures/long_run.ts";
import { ben } from "../../fixtures/people.ts";

const nasty = `<img src=x onerror="document.title='hacked'">`;

describe("activity, in real browsers", () => {
  const harness = BrowserHarness.ofGroup({ PRESENCE_GRACE_MS: "0" }, { role: "user" });

  beforeAll(async () => {
    const added = { name: nasty, email: "nasty@example.com", password: ben.password };
    await harness.ada.submit("/admin/settings/team", { ...added, role: "user" });
    await harness.cleo.submit("/sign-out", {});
    await harness.cleo.signIn(added);
  });

  const meet = (visitor: HttpVisitor, options = {}) =>
    harness.meet(visitor, { reducedMotion: "reduce", ...options });

  it("the recent activity shows joins and leaves, with reasons, as they happen", async () => {
    await using admin = await meet(harness.ada);
    const page = await admin.open("/admin/online");
    await seesLive(page, 1);
    await seesLine(page, "Ada Joined");
    {
      await using visitor = await meet(harness.ben);
      await visitor.open("/");
      await seesLine(page, "Ben Joined");
    }
    await seesLine(page, "Ben Left closed the page");
    await using leaver = await meet(harness.cleo);
    const home = await leaver.open("/");
    await seesLine(page, `${nasty} Joined`);
    // The session's socket is closed first: until the next page is there, this one may ask to join, in vain.
    leaver.expectsConsoleErrors = true;
    await signOut(home);
    await seesLine(page, `${nasty} Left signed out`);
    const refused = /status of 419 .*\/broadcasting\/auth\)$/;
    assert.deepEqual(leaver.consoleErrors.filter((error) => !refused.test(error)), []);
    const expected = [
      `${nasty} Left signed out`,
      `${nasty} Joined`,
      "Ben Left closed the page",
      "Ben Joined",
      "Ada Joined",
    ];
    assert.deepEqual(await tickerLines(page), expected);
    assert.equal(await page.locator(".ticker").getAttribute("aria-live"), "off");
    await page.reload();
    assert.deepEqual((await tickerLines(page)).slice(-5), expected);
    assert.doesNotMatch(await page.title(), /hacked/);
  });

  it("the activity log shows names as text, with times in the reader's zone", async () => {
    await using admin = await meet(harness.ada, { timezoneId: "Asia/Kathmandu", locale: "en-GB" });
    const page = await admin.open("/admin/activity?who=nasty");
    await page.waitForFunction(() =>
      !document.querySelector(".activity-table time")?.textContent?.includes("UTC")
    );
    assert.equal(await page.locator(".activity-table tbody th").first().innerText(), nasty);
    assert.equal(await page.locator(".activity-table img").count(), 0);
    assert.doesNotMatch(await page.title(), /hacked/);
  });

  it("a time range is entered in the reader's zone and sent in UTC", async () => {
    await using admin = await meet(harness.ada, { timezoneId: "Asia/Kathmandu" });
    const page = await admin.open("/admin/activity");
    await page.getByLabel("From", { exact: true }).fill("2026-01-05T12:45");
    await page.getByLabel("To", { exact: true }).fill("2026-01-05T18:00");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByText("No matching entries.").waitFor();
    const { searchParams } = new URL(page.url());
    assert.equal(searchParams.get("from"), "2026-01-05T07:00:00.000Z");
    assert.equal(searchParams.get("until"), "2026-01-05T12:15:00.000Z");
    assert.equal(await page.getByLabel("From", { exact: true }).inputValue(), "2026-01-05T12:45");
  });

  it.inLongRun("without script the activity log is filtered in UTC", async () => {
    await using admin = await meet(harness.ada, {
      javaScriptEnabled: false,
      timezoneId: "Asia/Kathmandu",
    });
    const page = await admin.open("/admin/activity");
    await page.getByLabel("From (UTC)").fill("2020-01-05T12:45");
    await page.getByLabel("Person").fill("ben");
    await page.getByRole("button", { name: "Filter" }).click();
    assert.equal(new URL(page.url()).searchParams.get("from"), "2020-01-05T12:45");
    assert.match(await page.locator(".activity-table tbody").innerText(), /Ben[^]*UTC|UTC[^]*Ben/);
    assert.equal(await page.getByLabel("From (UTC)").inputValue(), "2020-01-05T12:45");
  });

  it.inLongRun("on a phone the filter is folded until it is opened or set", async () => {
    await using admin = await meet(harness.ada, { viewport: { width: 390, height: 800 } });
    const page = await admin.open("/admin/activity");
    const field = page.getByLabel("Person");
    assert.equal(await field.isVisible(), false);
    await page.locator("summary", { hasText: "Filter" }).click();
    await field.fill("ben");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("link", { name: "Clear" }).waitFor();
    assert.equal(await field.inputValue(), "ben");
  });

  it("the download has the entries that are shown", async () => {
    await using admin = await meet(harness.ada);
    const page = await admin.open("/admin/activity?who=nasty");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download CSV" }).click(),
    ]);
    assert.match(download.suggestedFilename(), /^activity-\d{4}-\d\d-\d\d\.csv$/);
    const text = await Deno.readTextFile(await download.path());
    const records: Record<string, string>[] = parse(text, { columns: true });
    assert.deepEqual(records.map(({ name, change }) => [name, change]), [
      [nasty, "left"],
      [nasty, "joined"],
    ]);
  });

  it.inLongRun("the recent activity pauses while the reader points at it or is in it", async () => {
    await using admin = await meet(harness.ada);
    const page = await admin.open("/admin/online");
    await seesLive(page, 1);
    const missed = page.getByRole("button", { name: /^\d+ new$/ });
    const lines = page.locator(".ticker");
    await lines.locator("li").first().hover();
    const held = await tickerLines(page);
    {
      await using visitor = await meet(harness.ben);
      await visitor.open("/");
      await missed.waitFor();
      assert.deepEqual(await tickerLines(page), held);
    }
    await page.mouse.move(0, 0);
    await seesLine(page, "Ben Left closed the page");
    assert.equal(await missed.count(), 0);
    await lines.locator("a").first().focus();
    await using visitor = await meet(harness.ben);
    await visitor.open("/");
    await missed.waitFor();
    await page.keyboard.press("Shift+Tab");
    await page.locator(".ticker:focus").waitFor();
    // Comes late where the browser is busy, after the focus has moved.
    await lines.dispatchEvent("scroll");
    await page.keyboard.press("Shift+Tab");
    await page.locator(".ticker-missed:focus").waitFor();
    await page.keyboard.press("Enter");
    await missed.waitFor({ state: "detached" });
    const isShown = async () => (await tickerLines(page))[0] === "Ben Joined";
    await until(isShown, "the lines moved again");
    assert.match(await page.evaluate(() => document.activeElement?.className ?? ""), /^ticker /);
  });

  it.inLongRun("the server's health is updated", async () => {
    await using admin = await meet(harness.ada);
    const page = await admin.open("/admin/online");
    await seesLive(page, 1);
    const strip = page.locator(".health");
    const drawn = await strip.innerText();
    await page.waitForFunction(
      (before) => document.querySelector<HTMLElement>(".health")?.innerText !== before,
      drawn,
    );
    const text = (await strip.innerText()).replace(/\s+/g, " ");
    assert.match(text, /Uptime (?:under a minute|\d+ min) /);
    assert.match(text, /Open connections 1 Messages\/s \d[\d.]* Rejected 0 Memory \d+ MB/);
  });
});

/** What the lines of the ticker say, but for the time; newest first. */
async function tickerLines(page: Page): Promise<string[]> {
  return await page.locator(".ticker li").evaluateAll((items) =>
    items.map((item) =>
      [...item.children].slice(1).map((part) => part.textContent).join(" ").trim()
    )
  );
}

async function seesLine(page: Page, line: string): Promise<void> {
  await until(async () => (await tickerLines(page)).includes(line), `the ticker had "${line}"`);
}
