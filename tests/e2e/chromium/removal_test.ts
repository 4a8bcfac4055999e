import { strict as assert } from "node:assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, Person, seesLive, seesStatus } from "../../fixtures/browser.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ben as benAccount, cleo as cleoAccount, moveIn, userId } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

describe("an admin who removes somebody", () => {
  let server: Rollcall;
  let browser: Browser;
  let ada: HttpVisitor;
  let ben: HttpVisitor;
  let cleo: HttpVisitor;
  const meet = (visitor?: HttpVisitor) => Person.meet(browser, server.origin, { visitor });

  beforeAll(async () => {
    server = await Rollcall.start({ PRESENCE_GRACE_MS: "0", ADMIT_GUESTS: "true" });
    browser = await launchBrowser();
    [ada, ben, cleo] = await moveIn(server, "user");
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  it("is asked first; every tab of theirs says so at once, and may come back", async () => {
    await using admin = await meet(ada);
    await using removed = await meet(ben);
    const tabs = [await removed.open("/"), await removed.open("/")];
    const page = await admin.open(`/admin/people/${await userId(ada, benAccount)}`);
    await seesMark(page, "Online");
    const button = page.getByRole("button", { name: "Remove", exact: true });

    await button.click();
    const dialog = page.getByRole("alertdialog", { name: "Remove Ben?" });
    assert.match(await dialog.innerText(), /Whoever loads a page again is back/);
    assert.equal(await focused(page), "Cancel");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await focused(page), "Remove");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    for (const tab of tabs) await seesLive(tab, 2);

    await button.click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    for (const tab of tabs) {
      await seesStatus(tab, "refused");
      const words = "You were removed by an admin. Reload the page to come back.";
      assert.equal(await tab.getByRole("alert").innerText(), words);
    }
    await page.getByText("Disconnected.").waitFor();
    await seesMark(page, "Offline");
    await tabs[0].reload();
    await seesLive(tabs[0], 2);
    await seesMark(page, "Online");
  });

  it("for good sends a user to the sign-in page, which says why", async () => {
    await using admin = await meet(ada);
    await using removed = await meet(cleo);
    const tab = await removed.open("/");
    await seesLive(tab, 1);
    const page = await admin.open(`/admin/people/${await userId(ada, cleoAccount)}`);
    await removeForGood(page);
    await seesStatus(tab, "refused");
    assert.match(await tab.getByRole("alert").innerText(), /disabled your account/);
    await tab.goto("/sign-in");
    await tab.getByLabel("E-mail").fill(cleoAccount.email);
    await tab.getByLabel("Password").fill(cleoAccount.password);
    removed.expectsConsoleErrors = true;
    await tab.locator("main").getByRole("button", { name: "Sign in" }).click();
    await tab.getByText("This account is disabled. Contact an admin.").waitFor();
  });

  it("for good keeps a guest out, who is a new guest with new cookies", async () => {
    await using admin = await meet(ada);
    await using guest = await meet();
    const tab = await guest.open("/");
    await seesLive(tab, 1);
    const [cookie] = (await guest.context.cookies()).filter(({ name }) => name.endsWith("guest"));
    const page = await admin.open(`/admin/people/${cookie.value.split(".")[0]}`);
    await removeForGood(page);
    await seesStatus(tab, "refused");
    assert.match(await tab.getByRole("alert").innerText(), /does not let you in again/);
    guest.expectsConsoleErrors = true;
    await tab.reload();
    await tab.getByText("An admin blocked guest access for this browser.").waitFor();
    await seesLive(page, 1);
    await guest.context.clearCookies();
    await tab.reload();
    await seesLive(tab, 2);
  });

  it("without script is asked on a page of its own", async () => {
    await using removed = await meet(ben);
    await seesLive(await removed.open("/"), 1);
    await using admin = await Person.meet(browser, server.origin, {
      javaScriptEnabled: false,
      visitor: ada,
    });
    const page = await admin.open(`/admin/people/${await userId(ada, benAccount)}`);
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "Remove Ben?");
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByText("Disconnected.").waitFor();
    await seesStatus(removed.page, "refused");
  });
});

async function removeForGood(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Remove and keep out" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove and keep out" }).click();
  await page.getByText("Disconnected and blocked").waitFor();
}

async function seesMark(page: Page, words: string): Promise<void> {
  await page.locator("#person .badge", { hasText: words }).waitFor();
}

function focused(page: Page): Promise<string | null> {
  return page.evaluate(() => document.activeElement?.textContent ?? null);
}
