import { strict as assert } from "node:assert";
import { describe } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { seesLive, seesStatus } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { it } from "../../fixtures/long_run.ts";
import { ben as benAccount, cleo as cleoAccount, userId } from "../../fixtures/people.ts";

describe("an admin who disconnects a person", () => {
  const harness = BrowserHarness.ofGroup({ PRESENCE_GRACE_MS: "0", ADMIT_GUESTS: "true" }, {
    role: "user",
  });

  it("confirms first; every tab of the person says so at once, and can rejoin", async () => {
    await using admin = await harness.meet(harness.ada);
    await using removed = await harness.meet(harness.ben);
    const tabs = [await removed.open("/"), await removed.open("/")];
    const page = await admin.open(`/admin/people/${await userId(harness.ada, benAccount)}`);
    await seesBadge(page, "Online");
    const button = page.getByRole("button", { name: "Disconnect", exact: true });

    await button.click();
    const dialog = page.getByRole("alertdialog", { name: "Disconnect Ben?" });
    assert.match(await dialog.innerText(), /They can rejoin by reloading/);
    assert.equal(await focused(page), "Cancel");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await focused(page), "Disconnect");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    for (const tab of tabs) await seesLive(tab, 2);

    await button.click();
    await dialog.getByRole("button", { name: "Disconnect" }).click();
    for (const tab of tabs) {
      await seesStatus(tab, "refused");
      const text = "An admin disconnected you. Reload to rejoin. Reload";
      assert.equal(await tab.getByRole("alert").innerText(), text);
    }
    await page.getByText("Disconnected.", { exact: true }).waitFor();
    await seesBadge(page, "Offline");
    await tabs[0].getByRole("button", { name: "Reload" }).click();
    await seesLive(tabs[0], 2);
    await seesBadge(page, "Online");
  });

  it.inLongRun("can do so while the person is online, live", async () => {
    await using admin = await harness.meet(harness.ada);
    const page = await admin.open(`/admin/people/${await userId(harness.ada, benAccount)}`);
    const button = page.getByRole("button", { name: "Disconnect", exact: true });
    await page.getByText("This person has no open tabs.").waitFor();
    assert.equal(await button.count(), 0);
    await using person = await harness.meet(harness.ben);
    const tab = await person.open("/");
    await button.click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click();
    await seesStatus(tab, "refused");
    await page.getByText("Disconnected.", { exact: true }).waitFor();
    await page.getByText("This person has no open tabs.").waitFor();
  });

  it("and blocks a user sees that the user cannot sign in, with the reason", async () => {
    await using admin = await harness.meet(harness.ada);
    await using removed = await harness.meet(harness.cleo);
    const tab = await removed.open("/");
    await seesLive(tab, 1);
    const page = await admin.open(`/admin/people/${await userId(harness.ada, cleoAccount)}`);
    await disconnectAndBlock(page);
    await tab.getByRole("alert").getByText("An admin disabled your account.").waitFor();
    await tab.goto("/sign-in");
    await tab.getByLabel("Email").fill(cleoAccount.email);
    await tab.getByLabel("Password").fill(cleoAccount.password);
    removed.expectsConsoleErrors = true;
    await tab.locator("main").getByRole("button", { name: "Sign in" }).click();
    await tab.getByText("This account is disabled. Contact an admin.").waitFor();
  });

  it.inLongRun("and blocks a guest sees that guest return only as a new one, without cookies", async () => {
    await using admin = await harness.meet(harness.ada);
    await using guest = await harness.meet();
    const tab = await guest.open("/");
    await seesLive(tab, 1);
    const [cookie] = (await guest.context.cookies()).filter(({ name }) => name.endsWith("guest"));
    const page = await admin.open(`/admin/people/${cookie.value.split(".")[0]}`);
    await disconnectAndBlock(page);
    await seesStatus(tab, "refused");
    assert.match(await tab.getByRole("alert").innerText(), /An admin blocked you/);
    guest.expectsConsoleErrors = true;
    await tab.reload();
    await tab.getByText("An admin blocked guest access for this browser.").waitFor();
    await seesLive(page, 1);
    await guest.context.clearCookies();
    await tab.reload();
    await seesLive(tab, 2);
  });

  it.inLongRun("confirms on a page of its own without script", async () => {
    await using removed = await harness.meet(harness.ben);
    await seesLive(await removed.open("/"), 1);
    await using admin = await harness.meet(harness.ada, { javaScriptEnabled: false });
    const page = await admin.open(`/admin/people/${await userId(harness.ada, benAccount)}`);
    await page.getByRole("button", { name: "Disconnect", exact: true }).click();
    assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "Disconnect Ben?");
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Disconnect", exact: true }).click();
    await page.getByRole("button", { name: "Disconnect" }).click();
    await page.getByText("Disconnected.", { exact: true }).waitFor();
    await seesStatus(removed.page, "refused");
  });
});

async function disconnectAndBlock(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Disconnect and block" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect and block" }).click();
  await page.getByText("Disconnected and blocked.").waitFor();
}

async function seesBadge(page: Page, text: string): Promise<void> {
  await page.locator("#person .badge", { hasText: text }).waitFor();
}

function focused(page: Page): Promise<string | null> {
  return page.evaluate(() => document.activeElement?.textContent ?? null);
}
