import { strict as assert } from "node:assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { type Browser, chromium } from "playwright-core";
import {
  chromiumOptions,
  launchBrowser,
  Person,
  seesLive,
  seesStatus,
} from "../../fixtures/browser.ts";
import { Cable } from "../../fixtures/cable.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { moveIn } from "../../fixtures/people.ts";
import { keepPort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { makeLink } from "../../fixtures/wallboards.ts";
import { addSignedIn } from "../../fixtures/signed_in.ts";

/** A mute or dead client is gone after this many milliseconds, the leave grace of 1.5 s included. */
const livenessBound = 31_500;

describe("when things fail", () => {
  let browser: Browser;
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;
  let cleo: HttpVisitor;

  beforeAll(async () => {
    browser = await launchBrowser();
    server = await Rollcall.start({ PRESENCE_GRACE_MS: "0" });
    [ada, ben, cleo] = await moveIn(server);
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  /** Adds a user whom no other test needs, signed in. */
  async function newcomer(name: string): Promise<HttpVisitor> {
    const email = `${name.toLowerCase()}@example.com`;
    const [visitor] = await addSignedIn(server, [{ name, email, role: "admin" }]);
    return visitor;
  }

  it("killing a browser process takes its user down within the liveness bound", async () => {
    await using server = await Rollcall.start();
    const [ada, ben] = await moveIn(server);
    await using watcher = await Person.meet(browser, server.origin, { visitor: ada });
    await watcher.open("/admin/online");
    const process = await chromium.launchServer(chromiumOptions);
    const dying = await chromium.connect(process.wsEndpoint());
    const victim = await Person.meet(dying, server.origin, { visitor: ben });
    await victim.open("/");
    await seesLive(watcher.page, 2);
    const killed = performance.now();
    await process.kill();
    await watcher.page.waitForFunction(
      () => document.querySelector(".online-number")?.textContent === "1",
      undefined,
      { timeout: 2 * livenessBound },
    );
    assert.ok(performance.now() - killed <= livenessBound);
  });

  it("a dropped connection shows as reconnecting, then recovers with the right number", async () => {
    await using cable = await Cable.to(server.origin);
    await using watcher = await Person.meet(browser, cable.origin, { visitor: ada });
    await using other = await Person.meet(browser, server.origin, { visitor: ben });
    watcher.expectsConsoleErrors = true;
    await watcher.open("/admin/online");
    await other.open("/");
    await seesLive(watcher.page, 2);

    cable.cut();
    await seesStatus(watcher.page, "reconnecting");
    assert.equal(await watcher.page.locator(".online-number").textContent(), "2");
    await using third = await Person.meet(browser, server.origin, { visitor: cleo });
    await third.open("/");
    await seesLive(third.page, 2);

    cable.mend();
    await seesLive(watcher.page, 3);
    await seesLive(third.page, 3);
    assert.deepEqual(await watcher.page.locator('[role="alert"]').count(), 0);
  });

  it("a connection that stays lost shows as out of date, with the time of the last update", async () => {
    await using cable = await Cable.to(server.origin);
    await using watcher = await Person.meet(browser, cable.origin, { visitor: ada });
    watcher.expectsConsoleErrors = true;
    await watcher.context.clock.install();
    await watcher.open("/admin/online");
    await seesLive(watcher.page, 1);
    cable.cut();
    await seesStatus(watcher.page, "reconnecting");
    await watcher.page.clock.fastForward("01:00");
    await seesStatus(watcher.page, "stale");
    const text = await watcher.page.locator("#online").innerText();
    assert.match(text, /Out of date[^]*Last updated \d{1,2}:\d\d:\d\d/);
    cable.mend();
    await seesLive(watcher.page, 1);
  });

  it("a user who is refused sees the reason", async () => {
    await using server = await Rollcall.start({ PRESENCE_MAX_MEMBERS: "1" });
    const [ada, ben] = await moveIn(server);
    await using first = await Person.meet(browser, server.origin, { visitor: ada });
    await using second = await Person.meet(browser, server.origin, { visitor: ben });
    await first.open("/");
    await seesLive(first.page, 1);
    await second.open("/admin/online");
    await seesStatus(second.page, "refused");
    assert.match(await second.page.getByRole("alert").innerText(), /full|limit|members/i);
  });

  it("a disabled user's connections are closed, and the page says so", async () => {
    await using first = await Person.meet(browser, server.origin, { visitor: ada });
    await using second = await Person.meet(browser, server.origin, {
      visitor: await newcomer("Dora"),
    });
    // What the page asked for just then is refused.
    second.expectsConsoleErrors = true;
    await first.open("/admin/online");
    await second.open("/admin/online");
    await seesLive(first.page, 2);
    const page = await ada.get("/admin/users");
    const row = page.text.slice(page.text.indexOf("dora@example.com"));
    const id = row.match(/\/admin\/users\/(\w+)"/)?.[1];
    await ada.submit(`/admin/users/${id}/disable`, {});
    await seesStatus(second.page, "refused");
    await seesLive(first.page, 1);
  });

  it("a user who signs out leaves with every tab, and the other tabs say so", async () => {
    await using watcher = await Person.meet(browser, server.origin, { visitor: ada });
    await using leaver = await Person.meet(browser, server.origin, { visitor: ben });
    leaver.expectsConsoleErrors = true;
    await watcher.open("/admin/online");
    await leaver.open("/admin/online");
    const tab = await leaver.open("/");
    await seesLive(watcher.page, 2);
    await tab.getByRole("button", { name: "Sign out" }).click();
    await seesLive(watcher.page, 1);
    await seesStatus(leaver.page, "refused");
    await leaver.page.getByRole("button", { name: "Sign out" }).click();
    await leaver.page.waitForURL("**/sign-in");
  });

  it("a page whose reader signed out in another tab offers to sign in, and then goes on", async () => {
    const leaving = await newcomer("Elsa");
    await using leaver = await Person.meet(browser, server.origin, { visitor: leaving });
    leaver.expectsConsoleErrors = true;
    const page = await leaver.open("/admin/online");
    await page.locator("#online-table .online-table-name a").first().waitFor();
    const tab = await leaver.open("/");
    await tab.getByRole("button", { name: "Sign out" }).click();
    const banner = page.locator(".banner");
    await banner.getByText("You signed out in another tab.").waitFor();
    assert.equal(await page.getByText("You signed out").count(), 1, "it is said once");
    assert.equal(await page.locator(".online-table-name, .ticker-name").count(), 0);
    assert.equal(await page.locator(".online-number").textContent(), "–");
    assert.match(
      await banner.getByRole("link", { name: "Sign in again" }).getAttribute("href") ?? "",
      /\/sign-in\?return=%2Fadmin%2Fonline$/,
    );
    // What signing in again in the other tab leaves behind, and the return to this one.
    await leaver.context.addCookies(
      [...(await newcomer("Emma")).cookies].map(([name, value]) => ({
        ...{ name, value, url: server.origin },
      })),
    );
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    await page.locator("#online-table .online-table-name a").first().waitFor();
    await seesStatus(page, "live");
    assert.equal(await banner.count(), 0);
  });

  it("a page says at once that the device is offline, and recovers with the network", async () => {
    await using watcher = await Person.meet(browser, server.origin, { visitor: ada });
    watcher.expectsConsoleErrors = true;
    const page = await watcher.open("/admin/online");
    await seesStatus(page, "live");
    await watcher.context.setOffline(true);
    await seesStatus(page, "offline");
    await page.locator("#online").getByText("You're offline").waitFor();
    await watcher.context.setOffline(false);
    await seesStatus(page, "live");
  });

  it("a frozen server shows within twelve seconds, and goes on where it was", async () => {
    await using server = await Rollcall.start();
    const [ada, ben] = await moveIn(server);
    const { path } = await makeLink(ada);
    await using admin = await Person.meet(browser, server.origin, { visitor: ada });
    await using visitor = await Person.meet(browser, server.origin, { visitor: ben });
    await using wall = await Person.meet(browser, server.origin);
    const opened: [Person, string][] = [[admin, "/admin/online"], [visitor, "/"], [wall, path]];
    for (const [person, address] of opened) {
      await person.context.clock.install();
      await person.open(address);
      await seesStatus(person.page, "live");
    }
    const pages = [admin.page, visitor.page, wall.page];
    server.signal("SIGSTOP");
    try {
      for (const page of pages) {
        // The page asks, and its question stays unanswered: by its clock, in less than 12 seconds.
        await page.clock.runFor(11_900);
        await seesStatus(page, "reconnecting");
        await page.clock.runFor(11_000);
        await seesStatus(page, "stale");
      }
      await admin.page.locator(".banner").getByText("Can't reach the server.").waitFor();
    } finally {
      server.signal("SIGCONT");
    }
    for (const page of pages) await seesStatus(page, "live");
    assert.equal(await admin.page.locator(".banner").count(), 0);
  });

  it("after a restart sessions are valid and pages reconnect with the right number", async () => {
    const dataFolder = await Deno.makeTempDir({ prefix: "rollcall-" });
    const first = await Rollcall.start({}, dataFolder);
    const [ada] = await moveIn(first);
    const port = new URL(first.origin).port;
    await using person = await Person.meet(browser, first.origin, { visitor: ada });
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
