import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { seesLive, seesStatus } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { makeEmbed } from "../../fixtures/embeds.ts";
import { ReadMetrics } from "../../fixtures/metrics.ts";
import { makeLink } from "../../fixtures/wallboards.ts";

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

  it("show within seconds that their numbers stand still, and that they change again", async () => {
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
      await seesStatus(page, "standing");
      const text = (await statusOf(page)).replace(/\s+/g, " ");
      assert.equal(text, `Numbers stand still since ${timeOf("medium").replace(/\s+/g, " ")}`);
    }
    const [live] = pages;
    await live.getByText("This server does not reach Redis.").waitFor();
    await live.getByText(`is from ${timeOf("medium")}`).waitFor();
    const text = `numbers stand still since ${new Date(since).toISOString()}: no Redis`;
    assert.deepEqual(await up(), [200, `up, but ${text}\n`]);
    assert.equal(
      (await ReadMetrics.of(harness.server.origin, metricsToken)).value("rollcall_redis_up"),
      0,
    );

    const late = await visitor.open("/account");
    await late.locator(".users-count[data-status=standing]").waitFor();
    const frame = await wall.open(embed.page);
    await frame.getByText(`2 online at ${timeOf("short")}`).waitFor();
    assert.equal(
      await frame.locator("h1[data-standing]").getAttribute("title"),
      `Numbers stand still since ${timeOf("medium")}`,
    );

    await change({ staleSince: null });
    for (const page of pages) await seesLive(page, 2);
    await late.locator(".users-count[data-status=live]").waitFor();
    await frame.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await frame.locator("h1:not([data-standing])").getByText("2 online").waitFor();
    await live.getByText("This server does not reach Redis.").waitFor({ state: "detached" });
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
      "cut off: other servers reach Redis, and this one does not\n",
    ]);
    await change({ staleSince: null, isPartitioned: false });
    assert.deepEqual(await up(), [200, "up\n"]);
  });
});
