import { strict as assert } from "node:assert";
import { it } from "@std/testing/bdd";
import { fontsOf, launchBrowser, Person, seesLive, signOut } from "../../fixtures/browser.ts";
import { isBelow, PathProxy } from "../../fixtures/path_proxy.ts";
import { ada, moveInWithForms } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const prefix = "/rollcall";

it("below a path, the pages work in browsers, whether or not the proxy passes it on", async () => {
  await using server = await Rollcall.start({
    APP_URL: `http://localhost${prefix}`,
    PRESENCE_GRACE_MS: "0",
  });
  await using taking = await PathProxy.before(server.origin, { prefix, strips: true });
  await using passing = await PathProxy.before(server.origin, { prefix, strips: false });
  const [, ben] = await moveInWithForms({
    origin: passing.origin,
    setupToken: () => server.setupToken(),
  });
  const browser = await launchBrowser();
  try {
    await using admin = await Person.meet(browser, taking.origin);
    await using user = await Person.meet(browser, passing.origin, { visitor: ben });
    await using wall = await Person.meet(browser, passing.origin);
    const sockets: string[] = [];
    for (const { context } of [admin, user, wall]) {
      context.on("page", (page) => page.on("websocket", (socket) => sockets.push(socket.url())));
    }

    const page = await admin.open(`${prefix}/`);
    assert.equal(new URL(page.url()).pathname, `${prefix}/sign-in`);
    await page.getByLabel("Email").fill(ada.email);
    await page.getByLabel("Password").fill(ada.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await seesLive(page, 1);
    await page.getByRole("link", { name: "Live", exact: true }).click();
    await page.waitForURL(`**${prefix}/admin/online`);
    const other = await user.open(prefix);
    await seesLive(page, 2);
    await seesLive(other, 2);

    await page.locator("#online-table").getByRole("link", { name: "Ben" }).click();
    await page.getByRole("link", { name: "Open as a page" }).click();
    await page.waitForURL(`**${prefix}/admin/people/*`);
    await seesLive(page, 2);
    await page.getByRole("textbox", { name: "Message" }).fill("Hello below");
    await page.getByRole("button", { name: "Send message" }).click();
    await page.getByText("Message sent.").waitFor();
    await other.getByText("Hello below").waitFor();

    await page.getByRole("button", { name: /^Your menu, / }).click();
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("link", { name: "Displays" }).click();
    await page.locator("#wallboards").getByLabel("Name").fill("Lobby");
    await page.getByRole("button", { name: "Create link" }).click();
    const address = new URL(await page.getByLabel("Link of Lobby").inputValue());
    assert.equal(address.origin + prefix, taking.origin);
    const screen = await wall.open(address.pathname);
    await screen.locator('[data-status="live"]').waitFor();
    assert.equal(await screen.textContent(".wallboard-number"), "2");
    assert.deepEqual(await fontsOf(screen, ".wallboard-number"), ["Inter"]);

    assert.equal(admin.consoleErrors.length, 0, admin.consoleErrors.join("\n"));
    admin.expectsConsoleErrors = true;
    await signOut(page);
    await page.waitForURL(`**${prefix}/sign-in`);
    await screen.waitForFunction(() =>
      document.querySelector(".wallboard-number")?.textContent === "1"
    );
    await page.goto(`${prefix}/admin/online`);
    assert.equal(new URL(page.url()).pathname, `${prefix}/sign-in`);
    // The session's socket is closed first: until the next page is there, this one may ask to join, in vain.
    const refused = `status of 419 () (${taking.origin}/broadcasting/auth)`;
    assert.deepEqual(admin.consoleErrors.filter((error) => !error.endsWith(refused)), []);

    assert.deepEqual([...taking.strays, ...passing.strays], []);
    assert.ok(sockets.length >= 3);
    for (const url of sockets) assert.ok(isBelow(`${prefix}/app`, new URL(url).pathname), url);
  } finally {
    await browser.close();
  }
});
