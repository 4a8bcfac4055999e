import { describe, it } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { launchBrowser, Person, seesLive, seesStatus } from "../../fixtures/browser.ts";
import { until } from "../../fixtures/eventually.ts";
import { moveInWithForms } from "../../fixtures/people.ts";
import { startPostgres } from "../../fixtures/postgres.ts";
import { startRedis } from "../../fixtures/redis.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { makeLink } from "../../fixtures/wallboards.ts";

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
    for (const page of [live, board]) await seesStatus(page, "standing");
    await live.getByText("This server does not reach Redis.").waitFor();
    // Cleo cannot be counted yet.
    await using late = await Person.meet(browser, first.origin, { visitor: cleo });
    const waiting = await late.open("/");
    await waiting.getByText(/since \d+:\d\d:\d\d [AP]M/).waitFor();
    await seesStatus(waiting, "standing");
    await redis.restart({ empty: true });
    for (const page of [live, board, waiting]) await seesLive(page, 2);
    await live.getByText("This server does not reach Redis.").waitFor({ state: "detached" });
  });
});

/** How many users the chart of a page shows for the minute that is not over. */
async function mostNow(page: Page): Promise<number | undefined> {
  const midnight = new Date().setUTCHours(0, 0, 0, 0);
  const address = `/admin/online/history?range=hour&midnight=${midnight}`;
  const { points } = await page.evaluate((url) => fetch(url).then((read) => read.json()), address);
  return points.at(-1)?.most;
}
