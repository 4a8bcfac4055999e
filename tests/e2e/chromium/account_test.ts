import { strict as assert } from "node:assert";
import { describe } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { inviteLink } from "../../fixtures/admin_forms.ts";
import { seesLive } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { it, withAndWithoutScript } from "../../fixtures/long_run.ts";
import { ben as benAccount } from "../../fixtures/people.ts";
import { password } from "../../fixtures/signed_in.ts";

const newPassword = "another good password";

describe("accounts in a browser", () => {
  const harness = BrowserHarness.ofGroup({ PRESENCE_GRACE_MS: "0" }, { role: "user" });

  for (const javaScriptEnabled of withAndWithoutScript) {
    const script = javaScriptEnabled ? "with" : "without";

    it(`invites a person by a link, who chooses a name and a password, ${script} script`, async () => {
      const options = { javaScriptEnabled };
      await using admin = await harness.meet(harness.ada, options);
      await using guest = await harness.meet(undefined, options);
      const page = await admin.open("/admin/settings/team");
      const email = `${script}@example.com`;
      await page.locator("#invite").getByLabel("Email").fill(email);
      await page.getByRole("button", { name: "Create invite link" }).click();
      const link = await page.locator("#made-link").inputValue();
      assert.equal(await focused(page), "made-link");
      assert.equal(await page.getByRole("alertdialog").count(), 0, "asks for nothing");

      const invited = await guest.open(link);
      assert.equal(await focused(invited), "name");
      assert.equal(await invited.getByLabel("Email").inputValue(), email);
      await invited.getByLabel("Name").fill("Dora");
      await invited.getByLabel("Password").fill(newPassword);
      await invited.getByRole("button", { name: "Create account" }).click();
      await invited.getByRole("heading", { name: "Welcome, Dora" }).waitFor();
    });
  }

  it("resets a forgotten password by a link, which the sign-in page tells of", async () => {
    await using admin = await harness.meet(harness.ada);
    await using forgetful = await harness.meet();
    const signIn = await forgetful.open("/sign-in");
    assert.equal(await focused(signIn), "email");
    await signIn.getByText("Forgot password?").click();
    await signIn.getByText("Ask an admin for a link").waitFor();

    const page = await admin.open("/admin/settings/team?q=cleo");
    await page.getByRole("link", { name: "Manage Cleo" }).click();
    await page.getByRole("button", { name: "Create reset link" }).click();
    const link = await page.locator("#made-link").inputValue();
    await using tab = await harness.meet(harness.cleo);
    // Its page asks once more with the token of the session that ended.
    tab.expectsConsoleErrors = true;
    await seesLive(await tab.open("/"), 2);
    await signIn.goto(link);
    await signIn.getByLabel("New password", { exact: true }).fill(newPassword);
    await signIn.getByRole("button", { name: "Set password" }).click();
    await signIn.getByRole("heading", { name: "Welcome, Cleo" }).waitFor();
    await tab.page.reload();
    await tab.page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  it.inLongRun("sends no token of a link to anyone as the Referer", async () => {
    await using admin = await harness.meet(harness.ada);
    await using guest = await harness.meet();
    const page = await admin.open("/admin/settings/team");
    await page.locator("#invite").getByLabel("Email").fill("referer@example.com");
    await page.getByRole("button", { name: "Create invite link" }).click();
    const link = await page.locator("#made-link").inputValue();
    const referers: string[] = [];
    guest.context.on("request", (request) => {
      referers.push(request.headers().referer ?? "");
    });
    const invited = await guest.open(link);
    await invited.waitForLoadState("networkidle");
    await invited.getByRole("link", { name: "Rollcall" }).click();
    await invited.getByRole("heading", { name: "Sign in" }).waitFor();
    assert.ok(referers.length > 5 && referers.some((referer) => referer !== ""));
    const token = link.split("/").at(-1) ?? link;
    for (const referer of referers) assert.ok(!referer.includes(token), referer);
  });

  it("changes the password, which ends the person's other tabs at once", async () => {
    const account = { ...benAccount, password };
    await using here = await harness.meet(harness.ben);
    await using there = await harness.meet();
    await there.signIn(account, "/");
    await seesLive(there.page, 1);
    const page = await here.open("/");
    await page.getByRole("button", { name: "Your menu, Ben" }).click();
    await page.getByRole("link", { name: "You" }).click();
    await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor();
    await page.getByText("Open now").waitFor();
    await page.getByLabel("Current password").fill(password);
    await page.getByLabel("New password").fill(newPassword);
    assert.ok(await page.getByLabel("Sign out everywhere else").isChecked());
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Password changed.").waitFor();
    await page.getByText("1 session.").waitFor();
    there.expectsConsoleErrors = true;
    await there.page.reload();
    await there.page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  it("deletes one's own account, once the password is right and that is confirmed", async () => {
    const link = await inviteLink(harness.ada, { email: "gone@example.com" });
    await using person = await harness.meet();
    const page = await person.open(link);
    await page.getByLabel("Name").fill("Gone");
    await page.getByLabel("Password").fill(newPassword);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("button", { name: "Your menu, Gone" }).click();
    await page.getByRole("link", { name: "You" }).click();
    const card = page.locator("#delete-account");
    const submit = async (password: string) => {
      await card.getByLabel("Your password").fill(password);
      await card.getByRole("button", { name: "Delete account" }).click();
      const dialog = page.getByRole("alertdialog");
      await dialog.getByText("deleted for good").waitFor();
      await dialog.getByRole("button", { name: "Delete account" }).click();
    };
    person.expectsConsoleErrors = true;
    await submit("not the password");
    await card.getByText("This is not your current password.").waitFor();
    assert.equal(await focused(page), "confirm-password");
    await submit(newPassword);
    await page.getByText("Your account is deleted.").waitFor();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  it("shows and hides a password, and sends it hidden", async () => {
    await using person = await harness.meet();
    person.expectsConsoleErrors = true;
    const page = await person.open("/sign-in");
    const input = page.getByLabel("Password");
    await input.fill("what I typed");
    await page.getByRole("button", { name: "Show password" }).click();
    await page.locator("#password[type=text]").waitFor();
    await page.getByRole("button", { name: "Hide password" }).click();
    await page.locator("#password[type=password]").waitFor();
    await page.getByRole("button", { name: "Show password" }).click();
    await page.evaluate(() =>
      addEventListener("submit", (event) => {
        event.preventDefault();
        document.title = document.querySelector<HTMLInputElement>("#password")?.type ?? "";
      })
    );
    await page.getByLabel("Email").fill("unknown@example.com");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForFunction(() => document.title === "password");
  });

  it.inLongRun("has no button to show a password without script", async () => {
    await using person = await harness.meet(undefined, { javaScriptEnabled: false });
    const page = await person.open("/sign-in");
    await page.getByLabel("Password").waitFor();
    assert.equal(await page.getByRole("button", { name: "Show password" }).isVisible(), false);
  });

  it.inLongRun("tells of the last attempts to sign in before one has to wait", async () => {
    await using person = await harness.meet();
    person.expectsConsoleErrors = true;
    const page = await person.open("/sign-in");
    const elsewhere = new HttpVisitor(harness.server.origin);
    await elsewhere.get("/sign-in");
    const texts: string[] = [];
    for (let attempt = 1; attempt <= 11; attempt++) {
      if (![5, 9, 11].includes(attempt)) {
        const wrong = { email: "unknown@example.com", password: `guess ${attempt}` };
        assert.notEqual((await elsewhere.submit("/sign-in", wrong)).status, 303);
        continue;
      }
      await page.getByLabel("Email").fill("unknown@example.com");
      await page.getByLabel("Password").fill(`guess ${attempt}`);
      const answered = page.waitForResponse((response) => response.request().method() === "POST");
      await page.getByRole("button", { name: "Sign in" }).click();
      await answered;
      await page.waitForLoadState();
      assert.equal(await focused(page), "password");
      texts.push(await page.getByRole("alert").innerText());
    }
    const wrong = "Wrong email or password.";
    assert.ok(texts[0].startsWith(wrong));
    assert.match(texts[1], /^Wrong email or password\. [01] attempts? left|last attempt for now/);
    assert.match(texts[2], /^Too many attempts\. Try again in \d+ seconds?\.$/);
  });
});

/** The id of the element with the focus. */
async function focused(page: Page): Promise<string> {
  await page.waitForFunction(() => document.activeElement?.id);
  return await page.evaluate(() => document.activeElement?.id ?? "");
}
