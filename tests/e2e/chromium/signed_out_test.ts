import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { seesLive, seesStatus } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import * as people from "../../fixtures/people.ts";
import { userId } from "../../fixtures/people.ts";
import { addSignedIn } from "../../fixtures/signed_in.ts";

describe("a page whose reader is no longer signed in", () => {
  const harness = BrowserHarness.ofGroup({
    PRESENCE_GRACE_MS: "0",
    PUSHER_APP_ID: "4711",
    PUSHER_APP_KEY: "a-key-of-the-tests",
    PUSHER_APP_SECRET: "a-secret-of-the-tests",
  });

  /** Adds an admin whom no other test needs, signed in. */
  async function newcomer(name: string): Promise<HttpVisitor> {
    const email = `${name.toLowerCase()}@example.com`;
    const [visitor] = await addSignedIn(harness.server, [{ name, email, role: "admin" }]);
    return visitor;
  }

  it("says so in every tab, without a name, offers to sign in, and then goes on", async () => {
    await using watcher = await harness.meet(harness.ada);
    await using leaver = await harness.meet(await newcomer("Elsa"));
    leaver.expectsConsoleErrors = true;
    await watcher.open("/admin/online");
    const paths = [
      "/",
      "/account",
      "/admin/online",
      "/admin/activity",
      "/admin/channels",
      "/admin/channels/channel?app=4711&name=presence-chart",
      `/admin/people/${await userId(harness.ada, people.ada)}`,
      "/admin/users",
    ];
    const pages: Page[] = [];
    for (const path of paths) {
      const page = await leaver.open(path);
      await seesStatus(page, "live");
      pages.push(page);
    }
    await seesLive(watcher.page, 2);
    const tab = await leaver.open("/");
    await tab.getByRole("button", { name: "Sign out" }).click();
    await seesLive(watcher.page, 1);
    for (const [index, page] of pages.entries()) {
      await page.getByRole("heading", { name: "You signed out in another tab." }).waitFor();
      const shown = await page.evaluate(() => document.title + document.documentElement.innerHTML);
      assert.doesNotMatch(shown, /Elsa|Ada\b/, paths[index]);
      assert.equal(
        await page.getByRole("link", { name: "Sign in again" }).getAttribute("href"),
        `/sign-in?return=${encodeURIComponent(paths[index])}`,
      );
    }
    // What signing in again in the other tab leaves behind, and the return to these.
    await leaver.context.addCookies(
      [...(await newcomer("Emma")).cookies].map(([name, value]) => ({
        name,
        value,
        url: harness.server.origin,
      })),
    );
    for (const page of pages) {
      await page.evaluate(() => dispatchEvent(new Event("focus")));
      await page.getByRole("link", { name: "Emma" }).first().waitFor();
      await seesStatus(page, "live");
    }
  });

  it("says why when an admin disabled the user", async () => {
    await using watcher = await harness.meet(harness.ada);
    await using disabled = await harness.meet(await newcomer("Dora"));
    // What the page asked for just then is refused.
    disabled.expectsConsoleErrors = true;
    await watcher.open("/admin/online");
    await disabled.open("/admin/online");
    await seesLive(watcher.page, 2);
    await harness.ada.submit(
      `/admin/users/${await userId(harness.ada, { email: "dora@example.com" })}/disable`,
      {},
    );
    await disabled.page.getByRole("heading", { name: "An admin disabled your account." }).waitFor();
    assert.doesNotMatch(await disabled.page.locator("body").innerText(), /Ada|Dora/);
    await seesLive(watcher.page, 1);
  });

  it("asks again where the server did not answer whether its reader is signed in", async () => {
    await using disabled = await harness.meet(await newcomer("Fred"));
    disabled.expectsConsoleErrors = true;
    let failures = 0;
    await disabled.open("/");
    await seesStatus(disabled.page, "live");
    await disabled.page.route("**/broadcasting/session", async (route) => {
      await (failures++ < 2 ? route.abort() : route.fallback());
    });
    await harness.ada.submit(
      `/admin/users/${await userId(harness.ada, { email: "fred@example.com" })}/disable`,
      {},
    );
    await disabled.page.getByRole("heading", { name: "An admin disabled your account." }).waitFor();
    assert.equal(failures, 3);
  });

  it("stays as it is when an admin disconnected the user", async () => {
    await using removed = await harness.meet(harness.ben);
    await removed.open("/");
    await seesLive(removed.page, 1);
    const sessions = removed.page.waitForResponse("**/broadcasting/session");
    await harness.ada.submit(
      `/admin/people/${await userId(harness.ada, people.ben)}/disconnect`,
      {},
    );
    assert.equal((await (await sessions).json()).isSignedIn, true);
    await seesStatus(removed.page, "refused");
    await removed.page.getByText("An admin disconnected you. Reload to rejoin.").waitFor();
  });
});
