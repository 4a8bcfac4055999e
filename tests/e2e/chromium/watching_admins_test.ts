import assert from "node:assert/strict";
import { beforeAll, describe, it } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { seesLive, seesNames } from "../../fixtures/browser.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ada, ben } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { addSignedIn } from "../../fixtures/signed_in.ts";

const app = { id: "4711", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };
const settings = {
  PUSHER_APP_ID: app.id,
  PUSHER_APP_KEY: app.key,
  PUSHER_APP_SECRET: app.secret,
};

const dora = { ...ben, email: "dora@example.com", name: "Dora" };

/** Signs admins in who never touched the switch. */
async function signIn(server: Rollcall, ...accounts: (typeof ada)[]): Promise<HttpVisitor[]> {
  const visitors = await addSignedIn(server, accounts.map((one) => ({ ...one, role: "admin" })));
  for (const { cookies } of visitors) assert.ok(cookies.delete("rollcall_counted"));
  return visitors;
}

/** Waits until a page says how many are online, and whether its reader is one of them. */
async function reads(page: Page, text: string): Promise<void> {
  await page.locator('.online[data-status="live"] .online-count').getByText(text).waitFor();
}

/** Waits until the switch of a page is on or off. */
async function switchIs(page: Page, checked: boolean): Promise<void> {
  await page.getByRole("switch", { name: "Count me", checked }).waitFor();
}

describe("an admin who watches", () => {
  const harness = BrowserHarness.ofGroup(settings, { role: null });
  let visitors: HttpVisitor[];

  beforeAll(async () => {
    visitors = await signIn(harness.server, ada, ben, dora);
  });

  it("is counted until an app has its first user, and then only watches, without a reload", async () => {
    await using adas = await harness.meet(visitors[0]);
    const page = await adas.open("/admin/online");
    await reads(page, "user online, including you");
    await switchIs(page, true);
    await using bens = await harness.meet(visitors[1]);
    const connect = await bens.open("/admin/settings/connect");
    await connect.getByText("Until then, Rollcall's own pages count you, too").waitFor();
    await seesLive(page, 2);

    const user = await AdmittedSocket.joinAs(harness.server, app, "7");
    // A page that is opened after the user came only watches from the start, and stays connected.
    await using doras = await harness.meet(visitors[2]);
    let sockets = 0;
    doras.context.on("page", (opened) =>
      opened.on("websocket", (socket) => {
        if (socket.url().includes("/app/")) sockets++;
      }));
    const late = await doras.open("/admin/online");
    await reads(page, "user online, not including you");
    assert.equal(await page.locator(".online-number").textContent(), "1");
    await switchIs(page, false);
    await seesNames(page, ["7"]);
    await connect.getByText("are not counted, unless they switch on Count me").waitFor();
    await user.close();
    for (const each of [page, late]) await reads(each, "users online, not including you");
    assert.equal(sockets, 1);
  });

  it("is counted again after a click on Count me, and stays so for users who come", async () => {
    await using adas = await harness.meet(visitors[0]);
    const page = await adas.open("/admin/online");
    await reads(page, "users online, not including you");
    await page.getByRole("switch").click();
    await reads(page, "user online, including you");
    await switchIs(page, true);
    const user = await AdmittedSocket.joinAs(harness.server, app, "8");
    await reads(page, "users online, including you");
    assert.equal(await page.locator(".online-number").textContent(), "2");
    await switchIs(page, true);
    await user.close();
  });

  it("only watches after a restart, too", async () => {
    const { dataFolder } = harness.server;
    await harness.server.stop();
    harness.server = await Rollcall.start(settings, dataFolder);
    const [visitor] = await signIn(harness.server, {
      ...ben,
      email: "edo@example.com",
      name: "Edo",
    });
    const { text } = await visitor.get("/admin/online");
    assert.match(text, /online, not including you/);
    assert.match(text, /<button[^>]*role="switch" aria-checked="false"/);
  });
});
