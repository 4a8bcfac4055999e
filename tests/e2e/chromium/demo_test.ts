import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, Person } from "../../fixtures/browser.ts";
import { rollcall } from "../../fixtures/command_line.ts";
import { programCommand } from "../../fixtures/program.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

/** Starts a demo that may store in a folder, in a shell with settings of an installation. */
async function startDemo(folder: string): Promise<{ server: Rollcall; link: string }> {
  const server = await Rollcall.startCommand(programCommand(["demo"]), {
    TMPDIR: folder,
    // Nobody reaches it: a demo that used an installation's database would not start.
    DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
    APP_URL: "https://rollcall.example.com/path",
  });
  const [, link] = await server.printed(/signed in: (\S+)/);
  return { server, link };
}

/** Waits until the number on the live view is another one. */
async function seesNumberMove(page: Page): Promise<void> {
  const number = page.locator(".online-number").first();
  const before = await number.textContent();
  await page.waitForFunction(
    (before) => document.querySelector(".online-number")?.textContent !== before,
    before,
  );
}

/** How far below the top of the page the list of people begins, in pixels. */
function topOfList(page: Page): Promise<number> {
  return page.locator("#online-table tbody tr").first().evaluate((row) =>
    row.getBoundingClientRect().top + scrollY
  );
}

/** Opens the live view slowly, and looks whether the list moves when the number becomes live. @returns where it is */
async function openSlowly(page: Page): Promise<number> {
  const released = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.goto("/admin/online", { waitUntil: "commit" });
  await page.locator("#ticker").waitFor();
  const before = await topOfList(page);
  released.resolve();
  await page.getByText("in 5 min").waitFor();
  const after = await topOfList(page);
  // On a phone, people who come and go meanwhile can make a line above it wrap.
  assert.ok(Math.abs(after - before) < 2, `the list stays where it is: ${before}, ${after}`);
  await page.unroute("**/*.js");
  return after;
}

/** Opens the link, looks at what a newcomer would, and lets someone else try the link. */
async function look(browser: Browser, { origin }: Rollcall, link: string): Promise<void> {
  assert.match(link, /^http:\/\/localhost:\d+\/demo\?token=[\w-]{32}$/);
  await using reader = await Person.meet(browser, origin);
  const page = await reader.open(link);
  await page.waitForURL("**/admin/online");
  await seesNumberMove(page);
  await page.getByText(/^Demo: everyone here is made up/).waitFor();
  await page.getByText(/% (above|below) usual|As usual/).waitFor();
  await page.getByText(/^Record: \d+/).waitFor();
  await page.locator("#ticker li").nth(5).waitFor();
  // With guests, a usual number and a record, as without.
  for (const [width, height, most] of [[1280, 800, 370], [390, 844, 400]]) {
    await page.setViewportSize({ width, height });
    const top = await openSlowly(page);
    const above = (await page.locator("main").innerText()).slice(0, 800);
    assert.ok(top <= most, `the list begins at ${top} of ${width} wide, below ${above}`);
  }
  await page.goto("/admin/activity/numbers");
  await page.locator("bdi", { hasText: "Deployed 4.2.0" }).waitFor();
  assert.ok(await page.locator("table tbody tr").count() >= 30, "days of five weeks");
  await using stranger = await Person.meet(browser, origin);
  stranger.expectsConsoleErrors = true;
  await (await stranger.open(link)).getByText(/This link has been used/).waitFor();
}

describe("rollcall demo", () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await launchBrowser()));
  afterAll(() => browser.close());

  it("shows made-up people and their past to who opens its link, and leaves nothing", async () => {
    const folder = await Deno.makeTempDir({ prefix: "rollcall-demo-test-" });
    const { server, link } = await startDemo(folder);
    try {
      await look(browser, server, link);
      assert.notDeepEqual([...Deno.readDirSync(folder)], []);
      server.signal("SIGINT");
      const { code } = await server.ended();
      assert.equal(code, 0, server.log);
      assert.deepEqual([...Deno.readDirSync(folder)], [], "nothing is left");
      assert.deepEqual([...Deno.readDirSync(server.dataFolder)], [], "no one else's data is there");
    } finally {
      server.kill();
      await Deno.remove(folder, { recursive: true });
      await Deno.remove(server.dataFolder, { recursive: true });
    }
  });

  it("does not listen for others unless it is told to", async () => {
    const { code, stderr } = await rollcall(["demo"], { HOST: "0.0.0.0" });
    assert.equal(code, 2);
    assert.match(stderr, /^rollcall: HOST is "0\.0\.0\.0".*unless --host 0\.0\.0\.0 says/);
  });
});
