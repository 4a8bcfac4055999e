import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import PusherServer from "pusher";
import { signingClient } from "@/tools/crowd/demo_user.ts";
import {
  launchBrowser,
  Person,
  recordNumbers,
  rowOf,
  seesList,
  seesLive,
  seesNames,
  shownNumbers,
} from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { describe } from "../../fixtures/long_run.ts";
import { MemberSockets } from "../../fixtures/member_sockets.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

describe.inLongRun("with ADMIT_GUESTS", () => {
  it("a guest counts as one user, from the first page on, even if that is an error page", async () => {
    await using server = await Rollcall.start({ ADMIT_GUESTS: "true" });
    const [ada] = await moveIn(server);
    const browser = await launchBrowser();
    try {
      await using admin = await Person.meet(browser, server.origin, { visitor: ada });
      await using guest = await Person.meet(browser, server.origin);
      await admin.open("/admin/online");
      guest.expectsConsoleErrors = true;
      await guest.open("/nowhere");
      await seesLive(guest.page, 2);
      await seesLive(await guest.open("/"), 2);
      await seesLive(admin.page, 2);
      await guest.page.getByRole("link", { name: "Sign in" }).click();
      await guest.page.waitForURL("**/sign-in");
      await guest.page.getByRole("button", { name: "Sign in" }).waitFor();
      assert.equal(
        await guest.page.locator(".users-count").count(),
        0,
        "no number while signing in",
      );
    } finally {
      await browser.close();
    }
  });
});

const app = { id: "4711", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };

describe("a member whom your own app's server changes", () => {
  const harness = BrowserHarness.ofGroup({
    PUSHER_APP_ID: app.id,
    PUSHER_APP_KEY: app.key,
    PUSHER_APP_SECRET: app.secret,
  }, { role: null });

  it("has the new name on the page of an admin at once, and neither leaves nor joins", async () => {
    const [ada] = await moveIn(harness.server);
    await using members = new MemberSockets(harness.server, app);
    await members.join({ id: "ann", options: { name: "Ann Ek" } }, "ben");
    await using admin = await harness.meet(ada);
    const page = await admin.open("/admin/online");
    // From now on, the page follows what changes.
    await seesList(page);
    await seesNames(page, [/^Ada/, "Ann Ek", "ben"]);
    await recordNumbers(page);
    const { hostname: host, port } = new URL(harness.server.origin);
    const { id: appId, key, secret } = app;
    const library = new PusherServer({ appId, key, secret, host, port });
    const body = { user_info: { id: "ann" }, rollcall: { name: "Zoe Ek", detail: "Away" } };
    const path = "/channels/presence-chart/users/ann";
    const answer = await library.post({ path, body: body as unknown as string });
    assert.deepEqual(await answer.json(), {});
    await seesNames(page, [/^Ada/, "ben", "Zoe Ek"]);
    await rowOf(page, "Zoe Ek").getByText("Away").waitFor();
    // What comes next is the proof that nothing came before.
    await members.join("cem");
    await page.locator(".ticker").getByText("cem").waitFor();
    const names = await page.locator(".ticker .ticker-name").allInnerTexts();
    assert.deepEqual(names.filter((name) => !/^Ada/.test(name)), ["cem", "ben", "Ann Ek"]);
    await seesLive(page, 4);
    assert.deepEqual(await shownNumbers(page), ["3", "4"]);
  });
});

describe("members that your own app authorized", () => {
  it("count by their user_id, whatever their user_info says", async () => {
    await using server = await Rollcall.start({
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
    });
    const [ada] = await moveIn(server);
    const address = { host: "127.0.0.1", port: Number(new URL(server.origin).port), secure: false };
    const members = [
      { user_id: 1, user_info: { name: "Ann" } },
      { user_id: 2, user_info: { name: "Ann" } },
      { user_id: "3" },
      { user_id: "four", user_info: { id: "same" } },
      { user_id: "five", user_info: { id: "same" } },
    ];
    const clients = members.map((member) => signingClient(app, address, member));
    const browser = await launchBrowser();
    try {
      await using person = await Person.meet(browser, server.origin, { visitor: ada });
      await person.open("/admin/online");
      await seesLive(person.page, 1);
      for (const client of clients) client.subscribe("presence-chart");
      await seesLive(person.page, 6);
      await person.page.reload();
      assert.equal(await person.page.locator(".online-number").textContent(), "6");
      await seesLive(person.page, 6);
      clients[1].disconnect();
      await seesLive(person.page, 5);
    } finally {
      for (const client of clients) client.disconnect();
      await browser.close();
    }
  });
});

describe.inLongRun("a person of your own app", () => {
  const harness = BrowserHarness.ofGroup({
    PUSHER_APP_ID: app.id,
    PUSHER_APP_KEY: app.key,
    PUSHER_APP_SECRET: app.secret,
  });

  it("is blocked by an admin with a reason, is listed, and can be unblocked", async () => {
    await using admin = await harness.meet(harness.ada);
    await using members = new MemberSockets(harness.server, app);
    await members.join({ id: "bo", options: { name: "Bo Ek" } });
    const page = await admin.open("/admin/people/bo");
    await page.getByLabel("Reason").fill("You broke the rules");
    await page.getByRole("button", { name: "Disconnect and block" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Disconnect and block Bo Ek?" });
    await dialog.getByRole("button", { name: "Disconnect and block" }).click();
    await page.getByText("Disconnected and blocked.").waitFor();
    await page.getByText("This person is blocked.").waitFor();
    await page.goto(`${harness.server.origin}/admin/settings/team`);
    const row = page.locator(".blocked-people tr", { hasText: "Bo Ek" });
    await row.getByText("You broke the rules").waitFor();
    await row.getByRole("button", { name: "Unblock Bo Ek" }).click();
    await page.getByText("Unblocked.", { exact: true }).waitFor();
    await page.getByText("No one is blocked.").waitFor();
    await members.leave("bo");
    await members.join("bo");
  });
});
