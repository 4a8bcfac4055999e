import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { AppClient } from "../../fixtures/member_sockets.ts";
import { seesLive } from "../../fixtures/browser.ts";
import { addSignedIn } from "../../fixtures/signed_in.ts";

const own = { id: "4711", key: "key-of-the-shop", secret: "a-secret-of-the-shop-alone" };
const desk = { id: "4712", key: "key-of-the-desk", secret: "a-secret-of-the-desk-alone" };

describe("the live view of a second counted channel", () => {
  const harness = BrowserHarness.ofGroup({
    APPS: JSON.stringify([own, desk]),
    COUNTED_CHANNELS: "presence-orders 4712/presence-chart",
    PRESENCE_GRACE_MS: "0",
    DRAIN_MS: "0",
  });

  const member = (id: string, name: string) => ({ user_id: id, user_info: {}, rollcall: { name } });

  it("follows its users without a reload, and the sum counts a user in two channels once", async () => {
    await using person = await harness.meet(harness.ada);
    await person.open("/admin/online?channel=presence-orders");
    const { page } = person;
    await seesLive(page, 0);
    assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "presence-orders");
    assert.equal(await page.locator(".connections").textContent(), "0 tabs");

    await using ann = await AppClient.connect(harness.server, own);
    await ann.join("presence-orders", member("7", "Ann Ek"));
    await seesLive(page, 1);
    await page.getByRole("link", { name: "Ann Ek" }).first().waitFor();
    await page.locator(".ticker", { hasText: "Ann Ek" }).getByText("Joined").waitFor();
    // Ada is online with this page, and is no member of the channel that it shows.
    await seesCounted(page, "2 users in 3 channels", [1, 1, 0]);

    await using _too = await (await AppClient.connect(harness.server, own))
      .join("presence-chart", member("7", "Ann Ek"));
    await seesCounted(page, "2 users in 3 channels", [2, 1, 0]);
    await using _other = await (await AppClient.connect(harness.server, desk))
      .join("presence-chart", member("7", "Bo of the desk"));
    await seesCounted(page, "3 users in 3 channels", [2, 1, 1]);
    await seesLive(page, 1);

    await ann[Symbol.asyncDispose]();
    await seesLive(page, 0);
    await seesCounted(page, "3 users in 3 channels", [2, 0, 1]);
  });

  it("shows a limited viewer the channels that they may see, with their numbers, live", async () => {
    const limits = [{ app: own.id, channel: "presence-orders" }, { app: desk.id, channel: null }];
    const account = { name: "Vee", email: "vee@example.com", role: "viewer" } as const;
    const [vee] = await addSignedIn(harness.server, [{ ...account, limits }]);
    await using viewer = await harness.meet(vee);
    const page = await viewer.open("/");
    await page.getByRole("link", { name: "Open the live view" }).click();
    await page.getByRole("heading", { level: 1, name: "presence-orders" }).waitFor();
    await seesLive(page, 0);
    await seesCounted(page, "0 users in 2 channels", [0, 0]);
    await using _online = await (await AppClient.connect(harness.server, own))
      .join("presence-chart", member("9", "Cy Holm"));
    await using _ordering = await (await AppClient.connect(harness.server, own))
      .join("presence-orders", member("7", "Ann Ek"));
    await using _desk = await (await AppClient.connect(harness.server, desk))
      .join("presence-chart", member("7", "Bo of the desk"));
    await seesCounted(page, "2 users in 2 channels", [1, 1]);
    await page.locator(".online-table").getByRole("link", { name: "Ann Ek" }).click();
    const panel = page.locator(".person-panel");
    await panel.getByRole("heading", { name: "Ann Ek" }).waitFor();
    await panel.locator(".badge", { hasText: "Online" }).waitFor();
    await _ordering[Symbol.asyncDispose]();
    await panel.locator(".badge", { hasText: "Offline" }).waitFor();
  });
});

/** Waits until the row of the channels shows a sum and numbers. */
async function seesCounted(page: Page, sum: string, users: number[]): Promise<void> {
  await page.locator(".counted-sum", { hasText: sum }).waitFor();
  await page.waitForFunction(
    (expected) =>
      [...document.querySelectorAll(".counted-users")]
        .map((each) => parseInt(each.textContent)).join() === expected,
    users.join(),
  );
}
