import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { launchBrowser, Person, seesLive } from "../../fixtures/browser.ts";
import { makeEmbed, makeLink } from "../../fixtures/admin_forms.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { MemberSockets } from "../../fixtures/member_sockets.ts";
import { moveIn } from "../../fixtures/people.ts";
import { keepPort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const app = { id: "4711", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };
const metricsToken = "a-token-of-the-tests";
const crowd = Array.from({ length: 60 }, (_, index) => `demo-${index + 1}`);

/** Records each number that is shown as live, for `liveNumbers`. */
async function recordLive(page: Page): Promise<void> {
  await page.evaluate(() => {
    const numbers = new Set<string>();
    Object.assign(globalThis, { liveNumbers: numbers });
    const look = () => {
      const number = document.querySelector(
        '[data-status="live"] :is(.online-number, .users-count-number, .wallboard-number)',
      );
      if (number?.textContent) numbers.add(number.textContent);
    };
    const changes = { attributes: true, characterData: true, childList: true, subtree: true };
    new MutationObserver(look).observe(document.body, changes);
  });
}

function liveNumbers(page: Page): Promise<string[]> {
  // The page's global variable.
  return page.evaluate(() => [...(globalThis as unknown as { liveNumbers: string[] }).liveNumbers]);
}

/** Waits until the page says how many are back. */
async function seesReturned(page: Page, text: RegExp): Promise<void> {
  await page.locator(".recovery, .wallboard-time").filter({ hasText: text }).waitFor();
}

/** Records each frame in which the page contradicts itself, for `contradictions`. */
async function recordContradictions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const found: string[] = [];
    let frames = 0;
    Object.assign(globalThis, { contradictions: () => ({ found, frames }) });
    const numberIn = (selector: string) =>
      Number(document.querySelector(selector)?.textContent?.replace(/^.*active,|\D/g, ""));
    const look = () => {
      frames++;
      const [users, listed, connections] = [".online-number", ".online-table-foot", ".connections"]
        .map(numberIn);
      if (users !== listed || connections < users) found.push(`${[users, listed, connections]}`);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

function contradictions(page: Page): Promise<{ found: string[]; frames: number }> {
  return page.evaluate(() =>
    // The page's global variable.
    (globalThis as unknown as { contradictions(): { found: string[]; frames: number } })
      .contradictions()
  );
}

/** The JSON of an embed, and the metric of the recovery. */
async function elsewhere({ origin }: Rollcall, json: string): Promise<[unknown, string?]> {
  const stranger = new HttpVisitor(origin);
  const { text } = await stranger.get(json);
  const headers = { authorization: `Bearer ${metricsToken}` };
  const metrics = await stranger.send("GET", "/metrics", undefined, headers);
  return [
    JSON.parse(text),
    metrics.text.match(/^rollcall_recovering(?:\{worker="1"\})? (\d)$/m)?.[1],
  ];
}

describe("the number after a start of the server", () => {
  it("is shown as recovering until as many people are back as before, everywhere", async () => {
    await using browser = await launchBrowser();
    const environment = {
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
      DRAIN_MS: "0",
      METRICS_TOKEN: metricsToken,
    };
    const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
    await using first = await Rollcall.start(environment, folder);
    await using before = new MemberSockets(first, app);
    await before.join(...crowd);
    const [ada, ben] = await moveIn(first);
    const { path } = await makeLink(ada);
    const embed = await makeEmbed(ada);
    await using admin = await Person.meet(browser, first.origin, { visitor: ada });
    await using visitor = await Person.meet(browser, first.origin, { visitor: ben });
    await using wall = await Person.meet(browser, first.origin);
    const opened: [Person, string][] = [[admin, "/admin/online"], [visitor, "/"], [wall, path]];
    for (const [person, address] of opened) {
      person.expectsConsoleErrors = true;
      await person.open(address);
    }
    const pages = [admin.page, visitor.page, wall.page];
    await seesLive(admin.page, 62);
    await seesLive(visitor.page, 62);
    await seesLive(wall.page, 62);
    for (const page of pages) await recordLive(page);
    await recordContradictions(admin.page);

    const port = new URL(first.origin).port;
    await keepPort(Number(port));
    await first.stop();
    await using second = await Rollcall.start({ ...environment, PORT: port }, folder);
    await using after = new MemberSockets(second, app);
    await after.join(...crowd.slice(0, 30));
    for (const page of pages) await seesReturned(page, /^32 of about 62 back$/);
    await using late = await Person.meet(browser, first.origin, { visitor: ben });
    await late.open("/");
    await seesReturned(late.page, /^32 of about 62 back$/);
    const frame = await wall.open(embed.page);
    await frame.getByText("32 of about 62 online").waitFor();
    assert.deepEqual(
      await elsewhere(second, embed.json),
      [{ users: 32, recovering: true, expected: 62 }, "1"],
    );
    await after.join(...crowd.slice(30));
    await seesLive(admin.page, 62);
    await seesLive(visitor.page, 62);
    await seesLive(late.page, 62);
    await seesLive(wall.page, 62);
    for (const page of pages) assert.deepEqual(await liveNumbers(page), ["62"]);
    assert.deepEqual(await elsewhere(second, embed.json), [{ users: 62 }, "0"]);
    await frame.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await frame.locator("h1:not([data-recovering])").getByText("62 online").waitFor();
    await after.leave(...crowd.slice(0, 20));
    await seesLive(admin.page, 42);
    const { found, frames } = await contradictions(admin.page);
    assert.deepEqual(found, []);
    assert.ok(frames > 60);
  });
});
