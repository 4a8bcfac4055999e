import { strict as assert } from "node:assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { Browser } from "playwright-core";
import { launchBrowser, Person, seesLive, seesStatus } from "../../fixtures/browser.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ben as benAccount, moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const dora = { name: "Dora", email: "dora@example.com", password: "a password of Dora's" };

describe("the users page", () => {
  let server: Rollcall;
  let browser: Browser;
  let ada: HttpVisitor;
  let ben: HttpVisitor;

  beforeAll(async () => {
    server = await Rollcall.start({ PRESENCE_GRACE_MS: "0" });
    browser = await launchBrowser();
    [ada, ben] = await moveIn(server, "user");
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  for (const javaScriptEnabled of [true, false]) {
    it(`adds, edits, disables and enables users ${javaScriptEnabled ? "with" : "without"} script`, async () => {
      await using admin = await Person.meet(browser, server.origin, {
        javaScriptEnabled,
        visitor: ada,
      });
      const page = await admin.open("/admin/users");
      const account = { ...dora, email: `${javaScriptEnabled}@example.com` };
      /** Presses a button and confirms, in a dialog or on a page. */
      const confirm = async (name: string, question: string) => {
        await page.getByRole("button", { name }).click();
        await page.getByRole("heading", { name: question }).waitFor();
        await page.getByRole("button", { name }).last().click();
      };
      const add = page.locator("#add-user");
      await add.getByLabel("Name").fill(account.name);
      await add.getByLabel("Email").fill(account.email);
      await add.getByLabel("Password").fill(account.password);
      await confirm("Add user", "Add this user?");
      await page.getByText("Added Dora.").waitFor();

      const edit = async () => {
        await page.goto(`/admin/users?q=${account.email}`);
        await page.getByText("Edit Dora").click();
      };
      await edit();
      await page.locator(".user-edit").getByLabel("Role").selectOption("admin");
      await confirm("Change role", "Change Dora's role?");
      await page.getByText("Changed Dora's role.").waitFor();
      await edit();
      await page.locator(".user-edit").getByLabel("New password").fill("another password");
      await confirm("Reset password", "Reset Dora's password?");
      await page.getByText("Reset Dora's password and signed them out everywhere.").waitFor();
      await edit();
      await confirm("Disable user", "Disable Dora?");
      await page.getByText("Disabled Dora.").waitFor();
      assert.match(await page.locator("table.users").innerText(), /Admin\s+Disabled/);
      await edit();
      await confirm("Enable user", "Enable Dora?");
      await page.getByText("Enabled Dora.").waitFor();
    });
  }

  it("shows who is online, finds users, and links to their pages", async () => {
    await using admin = await Person.meet(browser, server.origin, { visitor: ada });
    await using other = await Person.meet(browser, server.origin, { visitor: ben });
    await seesLive(await other.open("/"), 1);
    const page = await admin.open("/admin/users");
    const row = (name: string) => page.getByRole("row", { name });
    assert.match(await row("ben@example.com").innerText(), /Online/);
    assert.match(await row("cleo@example.com").innerText(), /Offline/);
    await page.getByRole("searchbox").fill("BEN@");
    await page.keyboard.press("Enter");
    await page.getByText("1 of").waitFor();
    await page.getByRole("link", { name: "Ben" }).click();
    await page.getByRole("heading", { level: 1, name: "Ben" }).waitFor();
    await page.goto("/admin/users?q=nobody-of-this-name");
    await page.getByText("No users match “nobody-of-this-name”.").waitFor();
  });

  it("disables a user, whose open page says so at once", async () => {
    await using other = await Person.meet(browser, server.origin, { visitor: ben });
    await using admin = await Person.meet(browser, server.origin, { visitor: ada });
    await seesLive(await other.open("/"), 1);
    const page = await admin.open(`/admin/users?q=${benAccount.email}`);
    await page.getByText("Edit Ben").click();
    await page.getByRole("button", { name: "Disable user" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Disable user" }).click();
    await seesStatus(other.page, "refused");
    assert.match(await other.page.getByRole("alert").innerText(), /disabled your account/);
  });
});
