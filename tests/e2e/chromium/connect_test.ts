import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { seesLive, seesNames } from "../../fixtures/browser.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ada, ben, cleo } from "../../fixtures/people.ts";
import { addSignedIn } from "../../fixtures/signed_in.ts";

const app = { id: "4711", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };

/** Subscribes as an app's user whose server signs with a secret. @returns the signature */
function subscribe(client: AdmittedSocket, secret: string): string {
  const channel = "presence-chart";
  const channelData = JSON.stringify({ user_id: "7", rollcall: { name: "Ann Ek" } });
  const auth = signChannel({ ...app, secret }, client.socketId, channel, channelData);
  client.subscribe(channel, { auth, channel_data: channelData });
  return auth.split(":")[1];
}

describe("connecting an app", () => {
  const harness = BrowserHarness.ofGroup({
    PUSHER_APP_ID: app.id,
    PUSHER_APP_KEY: app.key,
    PUSHER_APP_SECRET: app.secret,
  }, { role: null });

  const connect = () =>
    AdmittedSocket.connect(harness.server, app.key, new HttpVisitor(harness.server.origin));

  it("begins in the live view after the first admin's form, until the first user came, live", async () => {
    await using person = await harness.meet();
    const page = await person.open(`/setup?token=${await harness.server.setupToken()}`);
    await page.keyboard.type(ada.name);
    assert.equal(await page.getByLabel("Name").inputValue(), ada.name);
    await page.getByLabel("Email").fill(ada.email);
    await page.getByLabel("Password").fill(ada.password);
    await page.locator("main form [type=submit]").click();
    await page.waitForURL("**/admin/online");
    const panel = page.getByRole("region", { name: "Connect your app" });
    await panel.getByText("Waiting for the first user of your app…").waitFor();
    await seesLive(page, 1);
    assert.ok((await panel.locator("pre").allTextContents()).join().includes(app.key));
    await seesNames(page, [ada.name]);
    // Without the reader, the list is empty, and the panel is in its place.
    await page.getByRole("switch", { name: "Count me" }).click();
    await page.getByRole("region", { name: "Who is online" }).waitFor({ state: "hidden" });
    const status = panel.locator(".app-status");

    const stranger = new WebSocket(
      `${harness.server.origin.replace(/^http/, "ws")}/app/unknown-key?protocol=7`,
    );
    await status.getByRole("heading", { name: "Unknown key" }).waitFor();
    await status.getByText("Use the key of this page in your client").waitFor();
    stranger.close();

    await using client = await connect();
    const received = subscribe(client, "another-secret-of-the-tests");
    await client.next("pusher:subscription_error");
    await status.getByRole("heading", { name: "Wrong signature" }).waitFor();
    await status.getByText("Use the secret of this page in your server's settings").waitFor();
    await status.getByText("What has to be signed").click();
    const shown = await status.locator(".app-status-signature code").allTextContents();
    const expected = subscribe(client, app.secret);
    assert.deepEqual(shown.slice(1), [`${expected.slice(0, 8)}…`, received]);
    assert.match(shown[0], /^[\d.]+:presence-chart:\{"user_id":"7",/);

    await client.next("pusher_internal:subscription_succeeded");
    await panel.waitFor({ state: "detached" });
    await seesNames(page, ["Ann Ek"]);
    await page.goto("/admin/settings/connect");
    const joined = page.locator(".app-status-joined");
    await joined.getByText("joined presence-chart").waitFor();
    assert.equal(
      await joined.getByRole("link", { name: "Ann Ek" }).getAttribute("href"),
      "/admin/people/7",
    );
    assert.ok(!(await page.content()).includes(app.secret));
  });

  it("shows the secret after a click, and fills it into the blocks to copy", async () => {
    const [visitor] = await addSignedIn(harness.server, [{ ...ben, role: "admin" }]);
    await using person = await harness.meet(visitor);
    const page = await person.open("/admin/settings/connect");
    const blocks = () => page.locator(".code-block pre").allTextContents();
    assert.ok(!(await blocks()).join().includes(app.secret));
    await page.getByRole("button", { name: "Reveal secret" }).focus();
    await page.keyboard.press("Enter");
    const secret = page.locator("#app-secret:focus");
    await secret.waitFor();
    assert.equal(await secret.inputValue(), app.secret);
    assert.ok((await blocks()).join().includes(app.secret));
  });

  it("asks before an app is removed, and is usable without a mouse", async () => {
    const [visitor] = await addSignedIn(harness.server, [{ ...cleo, role: "admin" }]);
    await using person = await harness.meet(visitor);
    const page = await person.open("/admin/settings/connect");
    await page.getByLabel("Name of the new app").fill("Shop");
    await page.keyboard.press("Enter");
    await page.getByText("App added.").waitFor();
    await page.getByRole("button", { name: "Remove app" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.locator("dialog[open]");
    await dialog.getByText("Remove Shop?").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("link", { name: "Shop" }).waitFor();
    await page.keyboard.press("Enter");
    // The page may still ask for the status of the app, and browsers log its 404 as an error.
    person.expectsConsoleErrors = true;
    await dialog.getByRole("button", { name: "Remove app" }).click();
    await page.getByText("App removed.").waitFor();
    assert.equal(await page.getByRole("navigation", { name: "Apps" }).count(), 0);
  });
});
