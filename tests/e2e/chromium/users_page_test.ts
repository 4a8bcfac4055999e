import { strict as assert } from "node:assert";
import { describe } from "@std/testing/bdd";
import type { Locator, Page } from "playwright-core";
import { seesLive } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { it, withAndWithoutScript } from "../../fixtures/long_run.ts";
import { ben as benAccount } from "../../fixtures/people.ts";

const dora = { name: "Dora", email: "dora@example.com", password: "a password of Dora's" };

describe("the users page", () => {
  const harness = BrowserHarness.ofGroup({ PRESENCE_GRACE_MS: "0" }, { role: "user" });

  for (const javaScriptEnabled of withAndWithoutScript) {
    const script = javaScriptEnabled ? "with" : "without";

    it(`adds, edits, disables and enables users ${script} script`, async () => {
      await using admin = await harness.meet(harness.ada, { javaScriptEnabled });
      // Limits without an app or a channel are refused.
      admin.expectsConsoleErrors = true;
      const page = await admin.open("/admin/settings/team");
      const account = { ...dora, email: `${javaScriptEnabled}@example.com` };
      await add(page, account);
      await page.getByText("Added Dora.").waitFor();

      /** Presses a button and confirms, in a dialog or on a page. */
      const confirm = async (name: string, question: string) => {
        await page.getByRole("button", { name }).click();
        await page.getByRole("heading", { name: question }).waitFor();
        await page.getByRole("button", { name }).last().click();
      };
      await page.goto(`/admin/settings/team?q=${account.email}`);
      await page.getByRole("link", { name: "Manage Dora" }).click();
      await page.getByRole("heading", { level: 1, name: "Dora" }).waitFor();
      await page.getByLabel("Role").selectOption("admin");
      await confirm("Change role", "Change Dora's role?");
      await page.getByText("Changed Dora's role.").waitFor();
      await page.getByText("Dora is an admin and sees everything.").waitFor();
      assert.equal(await page.getByRole("button", { name: "Change what they see" }).count(), 0);
      await page.getByLabel("Role").selectOption("moderator");
      await confirm("Change role", "Change Dora's role?");
      await page.getByLabel("Only some apps and channels").check();
      await confirm("Change what they see", "Change what Dora may see?");
      await page.getByText("Choose an app or a channel.").waitFor();
      await page.getByLabel("presence-chart").check();
      await confirm("Change what they see", "Change what Dora may see?");
      await page.getByText("Changed what Dora may see.").waitFor();
      assert.ok(await page.getByLabel("presence-chart").isChecked());
      await page.getByLabel("Everything").check();
      assert.equal(await page.getByLabel("presence-chart").isVisible(), false);
      await confirm("Change what they see", "Change what Dora may see?");
      await page.getByText("Changed what Dora may see.").waitFor();
      assert.ok(await page.getByLabel("Everything").isChecked());
      await page.getByLabel("New password").fill("another password");
      await confirm("Reset password", "Reset Dora's password?");
      await page.getByText("Reset Dora's password and signed them out everywhere.").waitFor();
      await confirm("Disable user", "Disable Dora?");
      await page.getByText("Disabled Dora.").waitFor();
      await confirm("Enable user", "Enable Dora?");
      await page.getByText("Enabled Dora.").waitFor();
    });

    it.inLongRun(`leads to what is wrong with a user who is not added, and keeps the rest, ${script} script`, async () => {
      await using admin = await harness.meet(harness.ada, { javaScriptEnabled });
      admin.expectsConsoleErrors = true;
      const page = await admin.open("/admin/settings/team");
      await page.setViewportSize({ width: 800, height: 400 });
      await page.locator("#add-user").getByLabel("Role").selectOption("admin");
      await add(page, { ...dora, email: benAccount.email });
      const alert = page.getByRole("alert");
      assert.equal(
        await alert.innerText(),
        "The user was not added: This email is already in use.",
      );
      const email = page.locator("#add-user").getByLabel("Email");
      await page.waitForFunction(() => document.activeElement?.id === "add-email");
      assert.ok(await isInView(email), "scrolled to");
      assert.equal(await email.inputValue(), benAccount.email);
      assert.equal(await page.locator("#add-user").getByLabel("Name").inputValue(), "Dora");
      assert.equal(await page.locator("#add-user").getByLabel("Role").inputValue(), "admin");
    });
  }

  it.inLongRun("takes one line of a wide window for each user", async () => {
    await using admin = await harness.meet(harness.ada);
    const page = await admin.open("/admin/settings/team");
    await page.setViewportSize({ width: 1280, height: 800 });
    const heights = await page.locator("#users table tbody tr")
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    assert.ok(heights.length >= 3);
    for (const height of heights) assert.ok(height <= 48, `${height} px`);
  });

  it("shows at once who comes and goes", async () => {
    await using admin = await harness.meet(harness.ada);
    const page = await admin.open("/admin/settings/team");
    const row = page.getByRole("row", { name: "cleo@example.com" });
    await row.getByText("Offline").waitFor();
    {
      await using other = await harness.meet(harness.cleo);
      await seesLive(await other.open("/"), 2);
      await row.getByText("Online").waitFor();
    }
    await row.getByText("Offline").waitFor();
  });

  it("shows who is online, finds users, and links to their pages", async () => {
    await using admin = await harness.meet(harness.ada);
    await using other = await harness.meet(harness.ben);
    await seesLive(await other.open("/"), 1);
    const page = await admin.open("/admin/settings/team");
    const row = (name: string) => page.getByRole("row", { name });
    assert.match(await row("ben@example.com").innerText(), /Online/);
    assert.match(await row("cleo@example.com").innerText(), /Offline/);
    await page.getByRole("searchbox").fill("BEN@");
    await page.keyboard.press("Enter");
    await page.getByText("1 of").waitFor();
    await page.getByRole("link", { name: "Ben", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Ben" }).waitFor();
    await page.goto("/admin/settings/team?q=unknown-name");
    await page.getByText("No accounts match “unknown-name”.").waitFor();
  });

  it.inLongRun("disables a user, whose open page says so at once", async () => {
    await using other = await harness.meet(harness.ben);
    await using admin = await harness.meet(harness.ada);
    await seesLive(await other.open("/"), 1);
    const page = await admin.open(`/admin/settings/team?q=${benAccount.email}`);
    await page.getByRole("link", { name: "Manage Ben" }).click();
    await page.getByRole("button", { name: "Disable user" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Disable user" }).click();
    await other.page.getByRole("alert").getByText("An admin disabled your account.").waitFor();
  });
});

/** Adds a user with the form, which asks for nothing else. */
async function add(page: Page, { name, email, password }: typeof dora): Promise<void> {
  const form = page.locator("#add-user");
  await form.getByLabel("Name").fill(name);
  await form.getByLabel("Email").fill(email);
  await form.getByLabel("Password").fill(password);
  await form.getByRole("button", { name: "Add user" }).click();
}

/** Whether all of an element is in the window. */
function isInView(element: Locator): Promise<boolean> {
  return element.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}
