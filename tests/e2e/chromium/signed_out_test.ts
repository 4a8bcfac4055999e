import { strict as assert } from "node:assert";
import { describe } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { seesLive, seesStatus, signOut } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { isShortRun, it } from "../../fixtures/long_run.ts";
import * as people from "../../fixtures/people.ts";
import { userId } from "../../fixtures/people.ts";
import type { Role } from "@/shared/permissions.ts";
import { addSignedIn } from "../../fixtures/signed_in.ts";

describe("a page whose reader is no longer signed in", () => {
  const harness = BrowserHarness.ofGroup({
    PRESENCE_GRACE_MS: "0",
    PUSHER_APP_ID: "4711",
    PUSHER_APP_KEY: "a-key-of-the-tests",
    PUSHER_APP_SECRET: "a-secret-of-the-tests",
  });

  /** Adds an admin whom no other test needs, signed in. */
  async function newcomer(name: string, role: Role = "admin"): Promise<HttpVisitor> {
    const email = `${name.toLowerCase()}@example.com`;
    const [visitor] = await addSignedIn(harness.server, [{ name, email, role }]);
    return visitor;
  }

  it("says so in every tab, without a name, offers to sign in, and then goes on", async () => {
    await using watcher = await harness.meet(harness.ada);
    await using leaver = await harness.meet(await newcomer("Elsa"));
    leaver.expectsConsoleErrors = true;
    await watcher.open("/admin/online");
    const further = [
      "/account",
      "/admin/activity",
      "/admin/channels",
      `/admin/people/${await userId(harness.ada, people.ada)}`,
      "/admin/settings/team",
    ];
    const paths = [
      "/",
      "/admin/online",
      "/admin/channels/channel?app=4711&name=presence-chart",
      ...(isShortRun ? [] : further),
    ];
    const pages: Page[] = [];
    for (const path of paths) {
      const page = await leaver.open(path);
      await seesStatus(page, "live");
      pages.push(page);
    }
    await seesLive(watcher.page, 2);
    const tab = await leaver.open("/");
    await signOut(tab);
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
      await page.getByRole("button", { name: "Your menu, Emma" }).waitFor();
      await seesStatus(page, "live");
    }
  });

  it("keeps no name on open pages once the reader's role may do less, and then shows what it may", async () => {
    await using watcher = await harness.meet(harness.ada);
    await watcher.open("/admin/online");
    const visitor = await newcomer("Mona", "moderator");
    await using moderator = await harness.meet(visitor);
    moderator.expectsConsoleErrors = true;
    const id = await userId(harness.ada, { email: "mona@example.com" });
    const adasId = await userId(harness.ada, people.ada);
    const person = await moderator.open(`/admin/people/${adasId}`);
    await person.getByRole("button", { name: "Disconnect", exact: true }).waitFor();
    const live = await moderator.open("/admin/online");
    await live.getByRole("link", { name: "Message everyone" }).waitFor();
    await seesLive(live, 2);
    await harness.ada.submit(`/admin/settings/team/${id}/role`, { role: "viewer" });
    for (const page of [person, live]) {
      await page.getByRole("heading", { name: "You've been signed out." }).waitFor();
      assert.doesNotMatch(await page.locator("body").innerText(), /Ada|Mona/);
    }
    await live.getByRole("link", { name: "Sign in again" }).click();
    await live.getByLabel("Email").fill("mona@example.com");
    await live.getByLabel("Password", { exact: true }).fill(people.ada.password);
    await live.getByRole("button", { name: "Sign in" }).click();
    await live.getByRole("heading", { name: "Who is online" }).waitFor();
    await live.getByRole("rowheader", { name: "Ada" }).waitFor();
    assert.equal(await live.getByRole("link", { name: "Message everyone" }).count(), 0);
    await live.goto(`${harness.server.origin}/admin/people/${adasId}`);
    await seesStatus(live, "live");
    assert.equal(await live.getByRole("button", { name: "Disconnect" }).count(), 0);
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
      `/admin/settings/team/${await userId(harness.ada, { email: "dora@example.com" })}/disable`,
      {},
    );
    await disabled.page.getByRole("heading", { name: "An admin disabled your account." }).waitFor();
    assert.doesNotMatch(await disabled.page.locator("body").innerText(), /Ada|Dora/);
    await seesLive(watcher.page, 1);
  });

  it.inLongRun("asks again where the server did not answer whether its reader is signed in", async () => {
    await using disabled = await harness.meet(await newcomer("Fred"));
    disabled.expectsConsoleErrors = true;
    let failures = 0;
    await disabled.open("/");
    await seesStatus(disabled.page, "live");
    await disabled.page.route("**/broadcasting/session", async (route) => {
      await (failures++ < 2 ? route.abort() : route.fallback());
    });
    await harness.ada.submit(
      `/admin/settings/team/${await userId(harness.ada, { email: "fred@example.com" })}/disable`,
      {},
    );
    await disabled.page.getByRole("heading", { name: "An admin disabled your account." }).waitFor();
    assert.equal(failures, 3);
  });

  it.inLongRun("stays as it is when an admin disconnected the user", async () => {
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
