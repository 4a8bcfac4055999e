import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { launchBrowser, Person, seesLive, seesStatus } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { makeEmbed, makeLink } from "../../fixtures/admin_forms.ts";
import { ReadMetrics } from "../../fixtures/metrics.ts";
import { until } from "../../fixtures/eventually.ts";
import { moveInWithForms } from "../../fixtures/people.ts";
import { startPostgres } from "../../fixtures/postgres.ts";
import { startRedis } from "../../fixtures/redis.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const metricsToken = "a-token-of-the-tests";
const timeZone = "Asia/Tokyo";
const since = Date.now() - 50_000;

/** The time in the zone of the readers. */
function timeOf(timeStyle: "medium" | "short"): string {
  return new Intl.DateTimeFormat("en", { timeStyle, timeZone }).format(since);
}

describe("pages of one of several servers", () => {
  const harness = BrowserHarness.ofGroup({ METRICS_TOKEN: metricsToken }, {
    program: "tests/fixtures/app_of_servers.ts",
  });

  async function change(state: object): Promise<void> {
    const body = JSON.stringify(state);
    const response = await fetch(`${harness.server.origin}/servers`, { method: "POST", body });
    assert.equal(await response.text(), "changed\n");
  }

  async function up(): Promise<[status: number, text: string]> {
    const response = await fetch(`${harness.server.origin}/up`);
    return [response.status, await response.text()];
  }

  const statusOf = (page: Page) =>
    page.locator("main :is(.status, .wallboard-status)").first().innerText();

  it("show within seconds that their numbers are stale, and that they change again", async () => {
    const [ada, ben] = harness.visitors;
    const { path } = await makeLink(ada);
    const embed = await makeEmbed(ada);
    await using admin = await harness.meet(ada, { timezoneId: timeZone });
    await using visitor = await harness.meet(ben, { timezoneId: timeZone });
    await using wall = await harness.meet(undefined, { timezoneId: timeZone });
    const pages = [
      await admin.open("/admin/online"),
      await visitor.open("/"),
      await wall.open(path),
    ];
    for (const page of pages) await seesLive(page, 2);
    assert.deepEqual(await up(), [200, "up\n"]);

    await change({ staleSince: since });
    for (const page of pages) {
      await seesStatus(page, "stale");
      const text = (await statusOf(page)).replace(/\s+/g, " ");
      assert.equal(text, `Not updating since ${timeOf("medium").replace(/\s+/g, " ")}`);
    }
    const [live] = pages;
    await live.getByText("This server does not reach the others.").waitFor();
    await live.getByText(`are from ${timeOf("medium")}`).waitFor();
    const text = `stale since ${new Date(since).toISOString()}: no Redis`;
    assert.deepEqual(await up(), [200, `up, but ${text}\n`]);
    assert.equal(
      (await ReadMetrics.of(harness.server.origin, metricsToken)).value("rollcall_redis_up"),
      0,
    );

    const late = await visitor.open("/account");
    await late.locator(".users-count[data-status=stale]").waitFor();
    const frame = await wall.open(embed.page);
    await frame.getByText(`2 online at ${timeOf("short")}`).waitFor();
    assert.equal(
      await frame.locator("h1[data-stale]").getAttribute("title"),
      `Not updating since ${timeOf("medium")}`,
    );

    await change({ staleSince: null });
    for (const page of pages) await seesLive(page, 2);
    await late.locator(".users-count[data-status=live]").waitFor();
    await frame.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await frame.locator("h1:not([data-stale])").getByText("2 online").waitFor();
    await live.getByText("This server does not reach the others.").waitFor({ state: "detached" });
    assert.deepEqual(await up(), [200, "up\n"]);
  });

  it("have a row for each server, and show which one is missing", async () => {
    await using admin = await harness.meet(harness.ada);
    const page = await admin.open("/admin/online");
    await seesLive(page, 1);
    const card = page.locator("#servers");
    await card.getByText("3 of 3 servers").waitFor();
    const rows = card.locator("tbody tr");
    assert.match(
      (await rows.allInnerTexts()).join("\n"),
      /web-3.*\n.*web-2.*Leader.*\n.*web-1.*This server/s,
    );
    assert.equal(await page.locator(".notice-warning").count(), 0);

    await change({ alive: { alive: 2, known: 3 } });
    await page.locator(".notice-warning", { hasText: "2 of 3 servers" }).waitFor();
    await card.locator(".servers-missing", { hasText: "2 of 3 servers" }).waitFor();
    await rows.filter({ hasText: "web-3" }).getByText("Lost").waitFor();
    assert.deepEqual(await up(), [200, "up, but 2 of 3 servers answer\n"]);

    await change({ alive: { alive: 3, known: 3 } });
    await page.locator(".notice-warning").waitFor({ state: "detached" });
    assert.equal(await card.getByText("Lost").count(), 0);
  });

  it("are taken from a server that alone has lost Redis: its /up answers 503", async () => {
    await change({ staleSince: since, isPartitioned: true });
    assert.deepEqual(await up(), [
      503,
      "partitioned: other servers reach Redis, and this one does not\n",
    ]);
    await change({ staleSince: null, isPartitioned: false });
    assert.deepEqual(await up(), [200, "up\n"]);
  });
});

describe("pages of several servers", () => {
  it("show the loss of a server with the leaves of its users, and the loss of Redis until its return", async () => {
    await using stack = new AsyncDisposableStack();
    const postgres = await startPostgres();
    stack.defer(() => postgres.stop());
    const redis = await startRedis();
    stack.defer(() => redis.stop());
    const browser = await launchBrowser();
    stack.defer(() => browser.close());
    const environment = {
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: redis.address,
      DRAIN_MS: "0",
    };
    const first = stack.use(await Rollcall.start(environment));
    const second = stack.use(await Rollcall.start(environment));
    const [ada, ben, cleo] = await moveInWithForms(first);
    const { path } = await makeLink(ada);
    await using admin = await Person.meet(browser, first.origin, { visitor: ada });
    await using wall = await Person.meet(browser, first.origin);
    await using visitor = await Person.meet(browser, second.origin, { visitor: ben });
    await using other = await Person.meet(browser, second.origin, { visitor: ada });
    for (const person of [admin, wall, visitor, other]) person.expectsConsoleErrors = true;
    const live = await admin.open("/admin/online");
    const elsewhere = await other.open("/admin/online");
    await seesLive(elsewhere, 1);
    const board = await wall.open(path);
    const there = await visitor.open("/");
    for (const page of [live, board, there]) await seesLive(page, 2);
    // Only one of the servers writes the activity log.
    for (const page of [live, elsewhere]) {
      await page.locator("#ticker li", { hasText: "joined" }).filter({ hasText: "Ben" }).waitFor();
    }
    // Nor does more than one store the history.
    for (const page of [live, elsewhere]) await until(async () => await mostNow(page) === 2);
    await elsewhere.close();
    const card = live.locator("#servers");
    await card.getByText("2 of 2 servers").waitFor();
    await card.locator("tbody tr").nth(1).waitFor();

    second.kill();
    await live.locator(".notice-warning", { hasText: "1 of 2 servers" }).waitFor();
    await card.locator(".servers-lost").getByText("Lost").waitFor();
    for (const page of [live, board]) await seesLive(page, 1);
    await live.locator("#ticker li", { hasText: "server lost" }).filter({ hasText: "Ben" })
      .waitFor();

    await redis.kill();
    for (const page of [live, board]) await seesStatus(page, "stale");
    await live.getByText("This server does not reach the others.").waitFor();
    // Cleo cannot be counted yet.
    await using late = await Person.meet(browser, first.origin, { visitor: cleo });
    const waiting = await late.open("/");
    await waiting.getByText(/since \d+:\d\d:\d\d [AP]M/).waitFor();
    await seesStatus(waiting, "stale");
    await redis.restart({ empty: true });
    for (const page of [live, board, waiting]) await seesLive(page, 2);
    await live.getByText("This server does not reach the others.").waitFor({ state: "detached" });
  });
});

/** How many users the chart of a page shows for the minute that is not over. */
async function mostNow(page: Page): Promise<number | undefined> {
  const midnight = new Date().setUTCHours(0, 0, 0, 0);
  const address = `/admin/online/history?range=hour&midnight=${midnight}`;
  const { points } = await page.evaluate((url) => fetch(url).then((read) => read.json()), address);
  return points.at(-1)?.most;
}
