import { strict as assert } from "node:assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { Browser } from "playwright-core";
import { launchBrowser, Person } from "../../fixtures/browser.ts";
import { withAndWithoutScript } from "../../fixtures/long_run.ts";
import { MailServer } from "../../fixtures/mail_server.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

describe("a forgotten password in a browser", () => {
  let mailServer: MailServer;
  let server: Rollcall;
  let browser: Browser;

  beforeAll(async () => {
    mailServer = await MailServer.start();
    server = await Rollcall.start({
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      MAIL_FROM: "rollcall@example.com",
      APP_URL: "http://localhost",
    });
    browser = await launchBrowser();
    await moveIn(server, "user");
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
    await mailServer[Symbol.asyncDispose]();
  });

  for (const javaScriptEnabled of withAndWithoutScript) {
    const name = javaScriptEnabled ? "ben" : "cleo";
    it(`is set anew by the link of an email, ${javaScriptEnabled ? "with" : "without"} script`, async () => {
      await using person = await Person.meet(browser, server.origin, { javaScriptEnabled });
      const page = await person.open("/sign-in");
      await page.getByRole("link", { name: "Forgot your password?" }).click();
      await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
      await page.getByLabel("Email").fill(`${name}@example.com`);
      await page.getByRole("button", { name: "Email me a link" }).click();
      await page.getByText("a link is on its way").waitFor();

      const { text } = await mailServer.arrived(`${name}@example.com`);
      const [, path] = text.match(/^http:\/\/localhost(\/reset-password\/\S+)$/m) ?? [];
      await page.goto(server.origin + path);
      await page.getByLabel("New password", { exact: true }).fill("another good password");
      await page.getByRole("button", { name: "Set password" }).click();
      await page.getByRole("heading", { name: /^Welcome, / }).waitFor();
      assert.equal(new URL(page.url()).pathname, "/");
    });
  }
});
