import assert from "node:assert/strict";
import { afterAll, beforeAll, describe } from "@std/testing/bdd";
import { Secret, TOTP } from "otpauth";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, Person, signOut, withAuthenticator } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { rollcall } from "../../fixtures/command_line.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { it, withAndWithoutScript } from "../../fixtures/long_run.ts";
import * as people from "../../fixtures/people.ts";
import { userId } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { password } from "../../fixtures/signed_in.ts";

const code = "Code";
const newPassword = "another good password";

/** The codes that a person's app shows; each is given out once, as the server takes each once. */
class App {
  readonly #totp: TOTP;
  #used = 0;

  constructor(secret: string) {
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(" ", "")) });
  }

  /** The next code that the server takes: of the present step, or one step ahead. */
  next(): string {
    const step = Math.max(Math.floor(Date.now() / 30_000), this.#used + 1);
    this.#used = step;
    return this.#totp.generate({ timestamp: step * 30_000 });
  }

  /** Reads the secret of a page that shows the QR code. */
  static async of(page: Page): Promise<App> {
    await page.getByRole("img", { name: "QR code for an authenticator app" }).waitFor();
    await page.getByText("Can't scan it?").click();
    return new App(await page.locator(".code-secret").innerText());
  }
}

/** The recovery codes that a page shows. */
async function shownCodes(page: Page): Promise<string[]> {
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  const codes = await page.locator(".recovery-codes code").allInnerTexts();
  assert.equal(codes.length, 10);
  return codes;
}

async function enter(page: Page, { email }: { email: string }, typed = password): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(typed);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function enterCode(page: Page, typed: string): Promise<void> {
  await page.getByLabel(code, { exact: true }).fill(typed);
  await page.getByRole("button", { name: "Sign in" }).click();
}

describe("second factors in a browser", () => {
  const harness = BrowserHarness.ofGroup({}, { role: "user" });

  for (const javaScriptEnabled of withAndWithoutScript) {
    const script = javaScriptEnabled ? "with" : "without";
    it(`are set up on one's page, asked for after the password, and reset, ${script} script`, async () => {
      const account = javaScriptEnabled ? people.ben : people.cleo;
      const visitor = javaScriptEnabled ? harness.ben : harness.cleo;
      await using here = await harness.meet(visitor, { javaScriptEnabled });
      here.expectsConsoleErrors = true;
      const page = await here.open("/account");
      await page.getByRole("link", { name: "Set up a second factor" }).click();
      const app = await App.of(page);
      await page.getByLabel(code, { exact: true }).fill("000000");
      await page.locator("#code-password").fill(password);
      await page.getByRole("button", { name: "Set up" }).click();
      await page.getByText("This code is wrong, or was already used.").waitFor();
      await page.getByLabel(code, { exact: true }).fill(app.next());
      await page.locator("#code-password").fill(password);
      await page.getByRole("button", { name: "Set up" }).click();
      const codes = await shownCodes(page);
      await page.getByRole("link", { name: "Back to your account" }).click();
      await page.getByText("10 codes left").waitFor();

      await using there = await harness.meet(undefined, { javaScriptEnabled });
      there.expectsConsoleErrors = true;
      const signIn = await there.open("/sign-in?return=%2Faccount");
      await enter(signIn, account);
      await signIn.getByRole("heading", { name: "Second factor" }).waitFor();
      await signIn.goto("/account");
      await signIn.getByRole("heading", { name: "Sign in" }).waitFor();
      await signIn.goto("/sign-in/second-factor?return=%2Faccount");
      await enterCode(signIn, "123456");
      await signIn.getByText("This code is wrong, or was already used.").waitFor();
      await enterCode(signIn, codes[0].toUpperCase());
      await signIn.getByRole("heading", { name: "Your account" }).waitFor();
      await signIn.getByText("9 codes left").waitFor();

      await using admin = await harness.meet(harness.ada);
      const id = await userId(harness.ada, account);
      const users = await admin.open(`/admin/settings/team/${id}`);
      await users.getByRole("button", { name: "Reset second factor" }).click();
      const dialog = users.getByRole("alertdialog");
      await dialog.getByRole("button", { name: "Reset second factor" }).click();
      await users.getByText(`Reset ${account.name}'s second factor and signed them out`).waitFor();
      await users.goto(`/admin/activity/admins?target=${id}`);
      for (
        const action of [
          "Set up one-time codes",
          "Signed in with a recovery code",
          "Reset the second factor of a user",
        ]
      ) await users.getByRole("cell", { name: action }).waitFor();
      await page.goto("/account");
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await enter(page, account);
      await page.getByRole("heading", { name: "Your account" }).waitFor();
      await page.getByRole("link", { name: "Set up a second factor" }).waitFor();
    });
  }
});

describe("passkeys in a browser", () => {
  const harness = BrowserHarness.ofGroup({}, { role: "user" });

  it("are set up on one's page, sign in after the password, and end when they are removed", async () => {
    await using person = await harness.meet(harness.ben);
    person.expectsConsoleErrors = true;
    const page = await person.open("/account/second-factor");
    await withAuthenticator(page);
    await page.getByLabel("Name").fill("My phone");
    await page.locator("#passkey-password").fill("not the password");
    await page.getByRole("button", { name: "Add passkey" }).click();
    await page.getByText("This is not your current password.").waitFor();
    await page.getByLabel("Name").fill("My phone");
    await page.locator("#passkey-password").fill(password);
    await page.getByRole("button", { name: "Add passkey" }).click();
    const codes = await shownCodes(page);

    await page.getByRole("link", { name: "Back to your account" }).click();
    await page.getByText("My phone").waitFor();
    await signOut(page);
    await page.goto("/sign-in?return=%2Faccount");
    await enter(page, people.ben);
    await page.getByRole("heading", { name: "Second factor" }).waitFor();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("heading", { name: "Your account" }).waitFor();
    await page.getByText("10 codes left").waitFor();

    await using elsewhere = await harness.meet();
    elsewhere.expectsConsoleErrors = true;
    const other = await elsewhere.open("/sign-in?return=%2Faccount");
    await withAuthenticator(other);
    await enter(other, people.ben);
    await other.getByRole("button", { name: "Use a passkey" }).click();
    await other.getByText("Your browser gave no passkey. Try again.").waitFor();
    await enterCode(other, codes[0]);
    await other.getByRole("heading", { name: "Your account" }).waitFor();

    await page.goto("/account/second-factor");
    await page.getByText("My phone, since").click();
    await page.locator("#passkeys details").getByLabel("Your password").fill(password);
    await page.getByRole("button", { name: "Remove My phone" }).click();
    await page.getByText("Passkey removed.").waitFor();
    const id = await userId(harness.ada, people.ben);
    const log = (await harness.ada.get(`/admin/activity/admins?target=${id}`)).text;
    assert.match(log, /Removed a passkey[^]*Signed in with a recovery code[^]*Set up a passkey/);
    await other.goto("/");
    await signOut(other);
    await other.goto("/sign-in");
    await enter(other, people.ben);
    await other.getByRole("heading", { name: "Welcome, Ben" }).waitFor();
  });

  it.inLongRun("answer once, and only to what this page asked of this user", async () => {
    await using person = await harness.meet(harness.cleo);
    person.expectsConsoleErrors = true;
    const page = await person.open("/account/second-factor");
    await withAuthenticator(page);
    await page.getByLabel("Name").fill("Key");
    await page.locator("#passkey-password").fill(password);
    await page.getByRole("button", { name: "Add passkey" }).click();
    await shownCodes(page);
    await page.getByRole("link", { name: "Back to your account" }).click();
    await signOut(page);
    await page.goto("/sign-in?return=%2Faccount");
    await enter(page, people.cleo);
    const sent = page.waitForRequest((request) =>
      request.method() === "POST" && request.url().includes("/sign-in/second-factor")
    );
    await page.getByRole("button", { name: "Use a passkey" }).click();
    const answer = Object.fromEntries(new URLSearchParams((await sent).postData() ?? ""));
    await page.getByRole("heading", { name: "Your account" }).waitFor();

    const thief = new HttpVisitor(harness.server.origin);
    await thief.get("/sign-in");
    await thief.submit("/sign-in", { email: people.cleo.email, password });
    await thief.get("/sign-in/second-factor");
    const fresh = (await thief.get("/sign-in/second-factor")).text
      .match(/name="passkey" value="([^"]+)"/)?.[1];
    assert.ok(fresh);
    const changed = JSON.parse(answer.response);
    const signature = changed.response.signature;
    changed.response.signature = signature.slice(0, -4) + "AAAA";
    const { passkey, response } = answer;
    for (
      const [what, forgery] of Object.entries({
        "used before": { passkey, response },
        "of another question": { passkey: fresh, response },
        "changed": { passkey: fresh, response: JSON.stringify(changed) },
        "empty": { passkey: fresh, response: "" },
      })
    ) {
      const refused = await thief.submit("/sign-in/second-factor", forgery);
      assert.equal(refused.status, 422, what);
      assert.match(refused.text, /This passkey could not be verified/, what);
    }
    assert.equal((await thief.get("/account")).status, 303);
  });
});

describe("second factors that everyone needs", () => {
  const stack = new AsyncDisposableStack();
  let server: Rollcall;
  let browser: Browser;
  beforeAll(async () => {
    server = stack.use(await Rollcall.start({ REQUIRE_SECOND_FACTOR: "true" }));
    browser = await launchBrowser();
    stack.defer(() => browser.close());
  });
  afterAll(() => stack.disposeAsync());

  it("are set up before anything else, and a new password does not lead around them", async () => {
    await using person = await Person.meet(browser, server.origin);
    person.expectsConsoleErrors = true;
    const page = await person.open(`/setup?token=${await server.setupToken()}`);
    await page.getByLabel("Name").fill(people.ada.name);
    await page.getByLabel("Email").fill(people.ada.email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { name: "Set up a second factor" }).waitFor();
    const app = await App.of(page);
    await page.goto("/admin/settings/team");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await enter(page, people.ada);
    await page.getByRole("heading", { name: "Set up a second factor" }).waitFor();
    await enterCode(page, app.next());
    await page.getByText("This code is wrong, or was already used.").waitFor();
    const shown = await App.of(page);
    await enterCode(page, shown.next());
    await shownCodes(page);
    await page.getByRole("link", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Team", exact: true }).waitFor();
    await page.goto("/account/second-factor");
    await page.getByText("Everyone needs a second factor on this server.").waitFor();

    // The way to another phone, as what is set up cannot be turned off.
    await page.getByText("Replace one-time codes").click();
    const newPhone = await App.of(page);
    await page.getByLabel(code, { exact: true }).fill("000000");
    await page.locator("#code-password").fill(password);
    await page.getByRole("button", { name: "Replace" }).click();
    await page.getByText("This code is wrong, or was already used.").waitFor();
    await page.getByLabel(code, { exact: true }).fill(newPhone.next());
    await page.locator("#code-password").fill(password);
    await page.getByRole("button", { name: "Replace" }).click();
    await shownCodes(page);

    const { dataFolder, databaseUrl } = server;
    const environment = {
      DATA_DIR: dataFolder,
      REQUIRE_SECOND_FACTOR: "true",
      ...databaseUrl && { DATABASE_URL: databaseUrl },
    };
    const { email } = people.ada;
    const made = await rollcall(["user", "reset-password", email, "--link"], environment);
    assert.equal(made.code, 0);
    await using other = await Person.meet(browser, server.origin);
    const link = await other.open(new URL(made.stdout.trim()).pathname);
    await link.getByLabel("New password", { exact: true }).fill(newPassword);
    await link.getByRole("button", { name: "Set password" }).click();
    await link.getByRole("heading", { name: "Second factor" }).waitFor();
    await enterCode(link, newPhone.next());
    await link.getByRole("heading", { name: "Welcome, Ada" }).waitFor();

    const reset = await rollcall(["user", "reset-second-factor", email], environment);
    assert.deepEqual([reset.code, reset.stderr], [0, ""]);
    assert.match(reset.stdout, /Reset the second factor of ada@example\.com/);
    await link.goto("/sign-in");
    await enter(link, people.ada, newPassword);
    await link.getByRole("heading", { name: "Set up a second factor" }).waitFor();
  });

  it("can be a passkey from the first sign-in on", async () => {
    await using person = await Person.meet(browser, server.origin);
    person.expectsConsoleErrors = true;
    const environment = { DATA_DIR: server.dataFolder };
    const { databaseUrl } = server;
    const { name, email } = people.ben;
    const added = await rollcall(
      ["user", "add", email, "--name", name],
      { ...environment, ...databaseUrl && { DATABASE_URL: databaseUrl } },
      `${password}\n`,
    );
    assert.equal(added.code, 0, added.stderr);
    const page = await person.open("/sign-in?return=%2Faccount");
    await withAuthenticator(page);
    await enter(page, people.ben);
    await page.getByRole("heading", { name: "Set up a second factor" }).waitFor();
    await page.getByLabel("Name").fill("My key");
    await page.getByRole("button", { name: "Add passkey" }).click();
    const codes = await shownCodes(page);
    await page.getByRole("link", { name: "Continue" }).click();
    await page.getByText("My key").waitFor();
    await signOut(page);
    await page.goto("/sign-in?return=%2Faccount");
    await enter(page, people.ben);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("heading", { name: "Your account" }).waitFor();
    await page.getByText("10 codes left").waitFor();

    await using other = await Person.meet(browser, server.origin);
    other.expectsConsoleErrors = true;
    const there = await other.open("/sign-in?return=%2Faccount");
    await enter(there, people.ben);
    await enterCode(there, codes[0]);
    await there.getByText("9 codes left").waitFor();
  });
});
