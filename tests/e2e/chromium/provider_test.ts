import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { afterAll, beforeAll, describe } from "@std/testing/bdd";
import type { Browser, Page } from "playwright-core";
import {
  launchBrowser,
  Person,
  seesList,
  seesLive,
  seesNames,
  signOut,
} from "../../fixtures/browser.ts";
import { rollcall } from "../../fixtures/command_line.ts";
import { type Claims, signed } from "../../fixtures/fake_provider.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { it } from "../../fixtures/long_run.ts";
import { ada as adaAccount, moveIn } from "../../fixtures/people.ts";
import { serveCommand } from "../../fixtures/program.ts";
import { RealProvider } from "../../fixtures/real_provider.ts";
import { reservePort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

/** Starts a server that is registered with the provider, under an address that it knows before. */
async function startWith(
  provider: RealProvider,
  settings: Record<string, string> = {},
): Promise<Rollcall> {
  const port = String(await reservePort());
  const server = await Rollcall.start({ ...provider.settings, PORT: port, ...settings });
  provider.register(server.origin);
  return server;
}

const button = { name: "Sign in with Example Inc." };

describe("sign-in with a real provider in a browser", () => {
  const stack = new AsyncDisposableStack();
  let provider: RealProvider;
  let server: Rollcall;
  let browser: Browser;
  let ben: HttpVisitor;

  beforeAll(async () => {
    provider = stack.use(await RealProvider.start());
    server = stack.use(await startWith(provider, { PRESENCE_GRACE_MS: "0" }));
    [, ben] = await moveIn(server, "user");
    browser = await launchBrowser();
    stack.defer(() => browser.close());
  });
  afterAll(() => stack.disposeAsync());

  const meet = (visitor?: HttpVisitor) => Person.meet(browser, server.origin, { visitor });

  /** Gives a person an account at the provider. */
  function hire(login: string, groups: string[], more: { email_verified?: boolean } = {}): void {
    const email = `${login}@example.com`;
    const name = login[0].toUpperCase() + login.slice(1);
    provider.accounts.set(login, { email, email_verified: true, name, groups, ...more });
  }

  /** Goes from the sign-in page to the provider's, and signs in there. */
  async function signIn(person: Person, login: string, path = "/"): Promise<Page> {
    const page = await person.open(path);
    await page.getByRole("link", button).click();
    await provider.signIn(page, login);
    return page;
  }

  async function seesRefusal(page: Page, text: string | RegExp): Promise<void> {
    await page.getByText(text).waitFor();
    await page.getByRole("link", button).waitFor();
    await page.goto("/account");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  }

  it("leads a viewer from the page that was asked for, through the provider, to people's names", async () => {
    hire("eve", ["staff"]);
    await using online = await meet(ben);
    await seesLive(await online.open("/"), 1);
    await using eve = await meet();
    const page = await signIn(eve, "eve", "/admin/online");
    await page.waitForURL(`${server.origin}/admin/online`);
    await seesList(page);
    await seesNames(page, ["Ben", /^Eve/]);
    const menu = page.locator("#account-menu");
    assert.deepEqual(await menu.getByRole("link", { includeHidden: true }).allTextContents(), [
      "You",
    ]);
  });

  it.inLongRun("signs out at the provider, which then asks who it is", async () => {
    hire("fay", ["staff"]);
    await using fay = await meet();
    const page = await signIn(fay, "fay");
    await page.getByRole("heading", { name: "Welcome, Fay" }).waitFor();
    assert.equal(fay.consoleErrors.length, 0, fay.consoleErrors.join("\n"));
    fay.expectsConsoleErrors = true;
    await signOut(page);
    await page.getByRole("heading", { name: "Sign out of Example Inc.?" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(`${server.origin}/sign-in`);
    await page.getByRole("link", button).click();
    await page.getByLabel("Account").waitFor();
    // The session's socket is closed first: until the provider's page is there, this one may ask to join, in vain.
    const refused = `status of 419 () (${server.origin}/broadcasting/auth)`;
    assert.deepEqual(fay.consoleErrors.filter((error) => !error.endsWith(refused)), []);
  });

  it.inLongRun("takes the role of a lost group at the next sign-in, also from pages that are open", async () => {
    hire("gus", ["rollcall-admins"]);
    await using before = await meet();
    before.expectsConsoleErrors = true;
    const open = await signIn(before, "gus", "/admin/settings/team");
    await open.getByRole("heading", { name: "Team", exact: true }).waitFor();
    await open.goto("/admin/online");
    await seesList(open);
    hire("gus", ["staff"]);
    await using after = await meet();
    after.expectsConsoleErrors = true;
    const page = await signIn(after, "gus", "/admin/settings/team");
    await page.getByText("Only admins can view this page.").waitFor();
    await open.getByRole("link", { name: "Sign in again" }).waitFor();
    assert.doesNotMatch(await open.content(), /Gus/);
    hire("gus", []);
    await using outside = await meet();
    outside.expectsConsoleErrors = true;
    await seesRefusal(
      await signIn(outside, "gus"),
      "none of its groups gives you access to Rollcall",
    );
    await page.goto("/account");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  it.inLongRun("signs in by the provider's new key, and on clocks that differ by half a minute", async () => {
    hire("hal", ["staff"]);
    for (const seconds of [0, 30, -630]) {
      provider.rotateKey();
      provider.forge = shiftedBy(seconds);
      await using hal = await meet();
      const page = await signIn(hal, "hal");
      await page.getByRole("heading", { name: "Welcome, Hal" }).waitFor();
    }
  });

  const notVerified = "The answer of Example Inc. could not be verified, so you are not signed in";
  const forgeries: Record<string, (claims: Claims) => string> = {
    "of another issuer": (claims) => sign({ ...claims, iss: "https://elsewhere.example" }),
    "for another attempt": (claims) => sign({ ...claims, nonce: "another" }),
    "that expired two minutes ago": (claims) => shiftedBy(-720)(claims),
    "that no one has signed": (claims) => {
      const parts = [{ alg: "none" }, claims];
      return parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
        .join(".") + ".";
    },
  };
  for (const [what, forge] of Object.entries(forgeries)) {
    it.inLongRun(`refuses an ID token ${what}, and says that it was not verified`, async () => {
      hire("ida", ["staff"]);
      provider.forge = forge;
      await using ida = await meet();
      ida.expectsConsoleErrors = true;
      await seesRefusal(await signIn(ida, "ida"), notVerified);
      provider.forge = null;
      await ida.page.getByRole("link", button).click();
      await ida.page.waitForURL(`${server.origin}/account`);
    });
  }

  it.inLongRun("refuses an email that the provider has not verified, and who cancels there", async () => {
    hire("jon", ["staff"], { email_verified: false });
    await using jon = await meet();
    jon.expectsConsoleErrors = true;
    await seesRefusal(
      await signIn(jon, "jon"),
      "Example Inc. has not verified your email, and Rollcall signs no one in without that",
    );
    await using kim = await meet();
    kim.expectsConsoleErrors = true;
    const page = await kim.open("/");
    await page.getByRole("link", button).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await seesRefusal(page, "Example Inc. did not sign you in. You can try again.");
    assert.doesNotMatch(await page.content(), /of the provider</);
  });

  it.inLongRun("signs in once by an answer of the provider", async () => {
    hire("lea", ["staff"]);
    await using lea = await meet();
    lea.expectsConsoleErrors = true;
    const page = await lea.open("/");
    const callbacks: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/sign-in/oidc/callback")) callbacks.push(request.url());
    });
    await page.getByRole("link", button).click();
    await page.getByLabel("Account").waitFor();
    const attempt = await lea.context.cookies(server.origin);
    await provider.signIn(page, "lea");
    await page.getByRole("heading", { name: "Welcome, Lea" }).waitFor();
    await using thief = await meet();
    thief.expectsConsoleErrors = true;
    await seesRefusal(
      await thief.open(callbacks[0]),
      "This sign-in took too long, or began in another browser. Try again.",
    );
    await thief.context.addCookies(attempt);
    await thief.page.goto(callbacks[0]);
    await seesRefusal(thief.page, "This sign-in was already used. Try again.");
  });

  it.inLongRun("says that the provider is away when it calls itself something else", async () => {
    await using other = await RealProvider.start();
    other.issuer = "https://elsewhere.example";
    // One server, also where others run two: the log of the one that answers is read.
    await using lost = await Rollcall.startCommand(serveCommand, other.settings);
    other.register(lost.origin);
    await using person = await Person.meet(browser, lost.origin);
    person.expectsConsoleErrors = true;
    const page = await person.open("/sign-in");
    await page.getByRole("link", button).click();
    await page.getByText("Example Inc. does not answer right now. Try again in a moment.")
      .waitFor();
    await lost.printed(/The provider signed no one in.*unreachable/);
  });

  it.inLongRun("is the only way in without passwords, but for a link of the command line", async () => {
    await using strict = await Rollcall.start({ ...provider.settings, PASSWORD_SIGN_IN: "false" });
    const [admin] = await moveIn(strict, "user");
    await using person = await Person.meet(browser, strict.origin);
    const page = await person.open("/sign-in");
    await page.getByRole("link", button).waitFor();
    assert.equal(await page.locator("input[type=password]").count(), 0);
    const environment = { ...strictEnvironment(strict), ...provider.settings };
    const words = ["user", "reset-password", adaAccount.email, "--link"];
    const { code, stdout } = await rollcall(words, environment);
    assert.equal(code, 0);
    await page.goto(strict.origin + new URL(stdout.trim()).pathname);
    await page.getByLabel("New password", { exact: true }).fill("another good password");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByRole("heading", { name: "Welcome, Ada" }).waitFor();
    assert.equal((await admin.get("/account")).status, 303, "the session of before has ended");
  });

  function sign(claims: Claims): string {
    const { privateKey, keyId } = provider;
    return signed({ alg: "RS256", kid: keyId }, claims, privateKey);
  }

  /** As if the provider's clock differed by this. Its tokens hold for ten minutes. */
  function shiftedBy(seconds: number): (claims: Claims) => string {
    const shifted = (at: unknown) => Number(at) + seconds;
    return (claims) => sign({ ...claims, iat: shifted(claims.iat), exp: shifted(claims.exp) });
  }

  function strictEnvironment({ dataFolder, databaseUrl }: Rollcall): Record<string, string> {
    return { DATA_DIR: dataFolder, ...databaseUrl && { DATABASE_URL: databaseUrl } };
  }
});
