import { strict as assert } from "node:assert";
import { describe } from "@std/testing/bdd";
import { chromium, type Locator, type Page } from "playwright-core";
import { chromiumOptions, Person, seesLive, seesStatus } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { Cable } from "../../fixtures/cable.ts";
import { it } from "../../fixtures/long_run.ts";
import { moveIn } from "../../fixtures/people.ts";
import { keepPort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { makeLink } from "../../fixtures/admin_forms.ts";

/** How long a mute or dead client may stay on a busy machine; on an idle one it is gone after 31.5 s. */
const livenessMs = 4 * 31_500;

describe("when things fail", () => {
  const harness = BrowserHarness.ofGroup({ PRESENCE_GRACE_MS: "0" });

  it("killing a browser process takes its user down within the liveness bound", async () => {
    await using server = await Rollcall.start();
    const [ada, ben] = await moveIn(server);
    await using watcher = await Person.meet(harness.browser, server.origin, { visitor: ada });
    await watcher.open("/admin/online");
    const process = await chromium.launchServer(chromiumOptions);
    const dying = await chromium.connect(process.wsEndpoint());
    const victim = await Person.meet(dying, server.origin, { visitor: ben });
    await victim.open("/");
    await seesLive(watcher.page, 2);
    await process.kill();
    await watcher.page.waitForFunction(
      () => document.querySelector(".online-number")?.textContent === "1",
      undefined,
      { timeout: livenessMs },
    );
  });

  it("a dropped connection shows as reconnecting, then recovers with the right number", async () => {
    await using cable = await Cable.to(harness.server.origin);
    await using watcher = await Person.meet(harness.browser, cable.origin, {
      visitor: harness.ada,
    });
    await using other = await harness.meet(harness.ben);
    watcher.expectsConsoleErrors = true;
    await watcher.open("/admin/online");
    await other.open("/");
    await seesLive(watcher.page, 2);

    cable.cut();
    await seesStatus(watcher.page, "reconnecting");
    assert.equal(await watcher.page.locator(".online-number").textContent(), "2");
    await using third = await harness.meet(harness.cleo);
    await third.open("/");
    await seesLive(third.page, 2);

    cable.mend();
    await seesLive(watcher.page, 3);
    await seesLive(third.page, 3);
    assert.deepEqual(await watcher.page.locator('[role="alert"]').count(), 0);
  });

  it.inLongRun("a connection that stays lost shows as out of date, with the time of the last update", async () => {
    await using cable = await Cable.to(harness.server.origin);
    await using watcher = await Person.meet(harness.browser, cable.origin, {
      visitor: harness.ada,
    });
    watcher.expectsConsoleErrors = true;
    await watcher.context.clock.install();
    await watcher.open("/admin/online");
    await seesLive(watcher.page, 1);
    cable.cut();
    await seesStatus(watcher.page, "reconnecting");
    await watcher.page.clock.fastForward("01:00");
    await seesStatus(watcher.page, "outdated");
    const text = await watcher.page.locator("#online").innerText();
    assert.match(text, /Out of date[^]*Last updated \d{1,2}:\d\d:\d\d/);
    cable.mend();
    await seesLive(watcher.page, 1);
  });

  it("a user who is refused sees the reason", async () => {
    await using server = await Rollcall.start({ PRESENCE_MAX_MEMBERS: "1" });
    const [ada, ben] = await moveIn(server);
    await using first = await Person.meet(harness.browser, server.origin, { visitor: ada });
    await using second = await Person.meet(harness.browser, server.origin, { visitor: ben });
    await first.open("/");
    await seesLive(first.page, 1);
    await second.open("/admin/online");
    await seesStatus(second.page, "refused");
    assert.match(await second.page.getByRole("alert").innerText(), /full|limit|members/i);
  });

  it("every page says at once that the device is offline, and recovers with the network", async () => {
    await using watcher = await harness.meet(harness.ada);
    watcher.expectsConsoleErrors = true;
    const pages: Page[] = [];
    for (const path of ["/admin/online", "/", "/admin/settings/team", "/admin/channels"]) {
      pages.push(await watcher.open(path));
      await seesStatus(pages.at(-1)!, "live");
    }
    const list = pages[0].locator("#online-table");
    const before = await list.boundingBox();
    // A device without a network hears nothing; Chromium leaves the sockets open that there are.
    harness.server.signal("SIGSTOP");
    try {
      await watcher.context.setOffline(true);
      for (const page of pages) {
        await seesStatus(page, "offline");
        await page.locator("[role=status] > p", { hasText: "You're offline." }).waitFor();
      }
      const [live] = pages;
      await live.locator("[role=status] > p.visually-hidden").waitFor();
      const doubts = live.locator(".badge:visible, .banner").getByText("You're offline");
      assert.equal(await doubts.count(), 1, "a doubt is said once");
      assert.deepEqual(await list.boundingBox(), before, "a doubt moves nothing");
      await live.setViewportSize({ width: 1280, height: 300 });
      await live.locator(".site-footer").scrollIntoViewIfNeeded();
      await live.locator(".banner").getByText("You're offline.").waitFor();
    } finally {
      harness.server.signal("SIGCONT");
    }
    await watcher.context.setOffline(false);
    for (const page of pages) {
      await seesStatus(page, "live");
      assert.equal(await page.locator(".banner").count(), 0);
    }
  });

  it.inLongRun("a frozen server shows within twelve seconds, and goes on where it was", async () => {
    await using server = await Rollcall.start();
    const [ada, ben] = await moveIn(server);
    const { path } = await makeLink(ada);
    await using admin = await Person.meet(harness.browser, server.origin, { visitor: ada });
    await using visitor = await Person.meet(harness.browser, server.origin, { visitor: ben });
    await using wall = await Person.meet(harness.browser, server.origin);
    const opened: [Person, string][] = [[admin, "/admin/online"], [visitor, "/"], [wall, path]];
    const heard = new Map<Page, number>();
    for (const [person, address] of opened) {
      person.context.on("page", (page) => countFrames(page, heard));
      await person.context.clock.install();
      await person.open(address);
      await seesStatus(person.page, "live");
    }
    const pages = [admin.page, visitor.page, wall.page];
    // A busy machine may take longer than the pages do, from one status to the next.
    for (const page of pages) {
      await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
    }
    server.signal("SIGSTOP");
    try {
      for (const page of pages) {
        const run = (until: string, mostMs: number) =>
          runUntil(page.locator(until).first(), mostMs, () => heard.get(page));
        // The page asks, and its question stays unanswered; it may have asked before the freeze already.
        await run('[data-status="reconnecting"]', 11_900);
        await run('[data-status="outdated"]', 11_000);
        if (page !== wall.page) {
          await run('[role=status] > p:has-text("Can\'t reach the server.")', 12_000);
        }
      }
    } finally {
      server.signal("SIGCONT");
      for (const page of pages) await page.clock.resume();
    }
    for (const page of pages) await seesStatus(page, "live");
    assert.equal(await admin.page.locator(".banner").count(), 0);
  });

  it("after a restart sessions are valid and pages reconnect with the right number", async () => {
    const dataFolder = await Deno.makeTempDir({ prefix: "rollcall-" });
    const first = await Rollcall.start({}, dataFolder);
    const [ada] = await moveIn(first);
    const port = new URL(first.origin).port;
    await using person = await Person.meet(harness.browser, first.origin, { visitor: ada });
    person.expectsConsoleErrors = true;
    await person.open("/admin/online");
    await seesLive(person.page, 1);
    await keepPort(Number(port));
    const { code } = await first.stop();
    assert.equal(code, 0);
    await seesStatus(person.page, "reconnecting");
    await using second = await Rollcall.start({ PORT: port }, dataFolder);
    await seesLive(person.page, 1);
    assert.equal(second.origin, first.origin);
  });
});

/**
 * Runs the clock of a page until it shows something, for at most so many milliseconds since the last frame, which the
 * system may hand over after the freeze.
 */
async function runUntil(
  shown: Locator,
  mostMs: number,
  heard: () => number | undefined,
): Promise<void> {
  const stepMs = 100;
  let before = heard();
  for (let ranMs = 0; ranMs < mostMs && await shown.count() === 0; ranMs += stepMs) {
    await shown.page().clock.runFor(stepMs);
    if (heard() !== before) [ranMs, before] = [0, heard()];
  }
  await shown.waitFor();
}

/** Counts the frames that a page receives. */
function countFrames(page: Page, heard: Map<Page, number>): void {
  heard.set(page, 0);
  page.on("websocket", (socket) => {
    socket.on("framereceived", () => heard.set(page, heard.get(page)! + 1));
  });
}
