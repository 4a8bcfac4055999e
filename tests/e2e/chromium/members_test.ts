import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { signingClient } from "@/tools/crowd/demo_user.ts";
import { launchBrowser, Person, seesLive } from "../../fixtures/browser.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

describe("with ADMIT_GUESTS", () => {
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
