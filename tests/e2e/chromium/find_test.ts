import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { seesStatus } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { MemberSockets } from "../../fixtures/member_sockets.ts";
import { until } from "../../fixtures/eventually.ts";
import { addSignedIn } from "../../fixtures/signed_in.ts";

const app = { id: "4711", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };
const people = [
  { id: "7", options: { name: "Ann Ek", detail: "ann@shop.test" } },
  { id: "8", options: { name: "Anna Berg" } },
];

describe("the search of everything", () => {
  const harness = BrowserHarness.ofGroup({
    PUSHER_APP_ID: app.id,
    PUSHER_APP_KEY: app.key,
    PUSHER_APP_SECRET: app.secret,
  });

  const field = (page: Page) => page.getByRole("combobox", { name: "Search or jump to…" });
  const option = (page: Page, name: string) => page.getByRole("option", { name, exact: true });

  /** Waits until the option that assistive technology takes for the active one has this name. */
  async function isActive(page: Page, name: string): Promise<void> {
    const active = page.getByRole("option", { name, exact: true, selected: true });
    await active.waitFor();
    const id = await active.getAttribute("id");
    assert.equal(await field(page).getAttribute("aria-activedescendant"), id);
  }

  it("finds people online, pages and actions by keyboard, and is loaded with its first use", async () => {
    await using members = new MemberSockets(harness.server, app);
    await members.join(...people);
    await using ada = await harness.meet(harness.ada);
    const loaded: string[] = [];
    ada.context.on("request", (request) => loaded.push(request.url()));
    const page = await ada.open("/admin/channels");
    await seesStatus(page, "live");
    assert.ok(!loaded.some((url) => url.includes("find")));

    await page.keyboard.press("Control+k");
    await isActive(page, "Live");
    await page.keyboard.press("ArrowUp");
    await isActive(page, "Invite to the team");
    await page.keyboard.press("ArrowDown");
    await isActive(page, "Live");
    await page.keyboard.press("Escape");
    await field(page).waitFor({ state: "detached" });

    await page.keyboard.press("Control+k");
    await field(page).fill("ann");
    await option(page, "Ann Ek ann@shop.test").waitFor();
    await isActive(page, "Ann Ek ann@shop.test");
    assert.match(await page.locator("dialog [role=status]").innerText(), /^\d+ results$/);
    await page.keyboard.press("ArrowDown");
    await isActive(page, "Anna Berg");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin/people/8");

    // Recent entries come first.
    await page.getByRole("link", { name: /^Search or jump to/ }).click();
    await isActive(page, "Anna Berg");
    await field(page).fill("message ever");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin/messages");
  });

  it("gives the focus back, says that nothing is found, and shows no answer to an older text", async () => {
    await using ada = await harness.meet(harness.ada);
    const page = await ada.open("/admin/channels");
    await seesStatus(page, "live");
    const search = page.getByRole("searchbox");
    await search.focus();
    const older = Promise.withResolvers<void>();
    await page.route((url) => url.search === "?q=cha", async (route) => {
      await older.promise;
      await route.continue().catch(() => {});
    });
    await page.keyboard.press("Control+k");
    const asked = page.waitForRequest((request) => request.url().endsWith("/find/list?q=cha"));
    await field(page).fill("cha");
    await asked;
    await field(page).fill("nothing has this name");
    await page.getByText("No results for “nothing has this name”.").waitFor();
    older.resolve();
    assert.equal(await page.locator("dialog [role=option]").count(), 0);
    await page.keyboard.press("Escape");
    await field(page).waitFor({ state: "detached" });
    assert.ok(await search.evaluate((element) => element === document.activeElement));
  });

  it("has keys: a slash goes to the search of the page, a question mark lists them, and neither while one types", async () => {
    await using ada = await harness.meet(harness.ada);
    const page = await ada.open("/admin/online");
    await seesStatus(page, "live");
    await page.keyboard.press("/");
    await page.keyboard.type("a/?");
    const search = page.getByRole("searchbox");
    assert.equal(await search.inputValue(), "a/?");
    await search.blur();
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keys" });
    await keys.getByText("Search on this page").waitFor();
    await keys.getByRole("button", { name: "Close" }).click();
    await keys.waitFor({ state: "detached" });
  });

  it("is a page without script, with the same results", async () => {
    await using members = new MemberSockets(harness.server, app);
    await members.join(...people);
    await using ada = await harness.meet(harness.ada, { javaScriptEnabled: false });
    const page = await ada.open("/admin/channels");
    await page.getByRole("link", { name: /^Search or jump to/ }).click();
    await page.getByRole("searchbox").fill("ann");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("link", { name: "Anna Berg" }).click();
    await page.waitForURL("**/admin/people/8");
  });

  it("shows a viewer no page of admins, and a user nothing at all", async () => {
    const [viewer, user] = await addSignedIn(harness.server, [
      { name: "Vi", email: "vi@example.com", role: "viewer" },
      { name: "Uno", email: "uno@example.com", role: "user" },
    ]);
    const { text } = await viewer.get("/admin/find");
    assert.match(text, />Channels<\/a>/);
    assert.doesNotMatch(text, /admin\/settings|Message everyone/);
    // Ann has left by now, and was in a channel that the other viewer may not see.
    const [limited] = await addSignedIn(harness.server, [{
      name: "Lim",
      email: "lim@example.com",
      role: "viewer",
      limits: [{ app: app.id, channel: "presence-desk" }],
    }]);
    for (const text of ["7", "Ann"]) {
      const path = `/admin/find/list?q=${text}`;
      await until(
        async () => (await viewer.get(path)).text.includes("Ann Ek"),
        `${path} found Ann`,
      );
      assert.doesNotMatch((await limited.get(path)).text, /Ann Ek/);
    }
    assert.equal((await user.get("/admin/find")).status, 403);
    assert.doesNotMatch((await user.get("/")).text, /Search or jump/);
  });
});
