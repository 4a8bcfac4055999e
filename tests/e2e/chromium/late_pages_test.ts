import assert from "node:assert/strict";
import Pusher from "pusher";
import { describe, it } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { channelPath } from "@/shared/channel_list.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { AppClient } from "../../fixtures/member_sockets.ts";
import { seesList, seesLive, seesNames } from "../../fixtures/browser.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const app = { id: "4711", key: "key-of-the-shop", secret: "a-secret-of-the-shop-alone" };
const earlier = ["Early 1", "Early 2", "Early 3", "Early 4", "Early 5"];
const left = ["Past 1", "Past 2", "Past 3", "Past 4"];
const later = ["Late 1", "Late 2", "Late 3", "Late 4", "Late 5", "Late 6"];

describe("pages that open when people have come and gone", () => {
  const harness = BrowserHarness.ofGroup({
    APPS: JSON.stringify([app]),
    COUNTED_CHANNELS: "presence-orders",
    PRESENCE_GRACE_MS: "0",
    DRAIN_MS: "0",
  });

  const meet = () => harness.meet(harness.ada);

  it("follow the users online, each by name", async () => {
    await using crowd = await crowdBefore(harness.server, "presence-chart");
    await using person = await meet();
    const page = await person.open("/admin/online");
    await seesPeople(page, ["Ada", ...earlier]);
    await crowd.join(...later);
    await seesPeople(page, ["Ada", ...earlier, ...later]);
    await seesTicker(page, "Joined", later);
    await crowd.leave(...later, earlier[0]);
    await seesPeople(page, ["Ada", ...earlier.slice(1)]);
    await seesTicker(page, "Left", later);
  });

  it("follow the users of another counted channel, each by name", async () => {
    await using crowd = await crowdBefore(harness.server, "presence-orders");
    await using person = await meet();
    const page = await person.open("/admin/online?channel=presence-orders");
    await seesPeople(page, earlier);
    await crowd.join(...later);
    await seesPeople(page, [...earlier, ...later]);
    await crowd.leave(...later, earlier[0]);
    await seesPeople(page, earlier.slice(1));
  });

  it("follow the members of a channel, with the events and their data", async () => {
    await using crowd = await crowdBefore(harness.server, "presence-desk");
    await using person = await meet();
    const page = await person.open(
      channelPath({ appId: app.id, name: "presence-desk" }, { joins: "yes" }),
    );
    await page.locator("#events .status-live").waitFor();
    const names = page.locator(".members-name");
    for (const name of earlier) await names.getByText(name, { exact: true }).waitFor();
    const event = page.locator(".events-name");
    // One by one, as the page shows a sample of what comes at once.
    for (const [index, name] of later.entries()) {
      await crowd.join(name);
      await names.getByText(name, { exact: true }).waitFor();
      await seesEvents(page, "pusher_internal:member_added", index + 1);
    }
    const library = new Pusher({
      appId: app.id,
      key: app.key,
      secret: app.secret,
      host: "127.0.0.1",
      port: new URL(harness.server.origin).port,
    });
    for (const name of ["paid", "packed", "shipped"]) {
      await library.trigger("presence-desk", name, { note: `${name} today` });
      await event.getByText(name, { exact: true }).waitFor();
      await page.getByRole("button", { name: `Show data of ${name}` }).click();
      await page.locator(".events-open pre", { hasText: `${name} today` }).waitFor();
    }
    for (const [index, name] of later.entries()) {
      await crowd.leave(name);
      await names.getByText(name, { exact: true }).waitFor({ state: "detached" });
      await seesEvents(page, "pusher_internal:member_removed", index + 1);
    }
  });

  it("show who of an app joins, on the page that connects it", async () => {
    await using crowd = await crowdBefore(harness.server, "presence-chart");
    await using person = await meet();
    const page = await person.open("/admin/settings/connect");
    const joined = page.locator(".app-status-joined");
    for (const name of later) {
      await crowd.join(name);
      await joined.getByRole("link", { name, exact: true }).waitFor();
    }
  });

  it("show when a person comes and goes, and what an admin has done", async () => {
    await using crowd = await crowdBefore(harness.server, "presence-chart");
    await using person = await meet();
    const page = await person.open(`/admin/people/${encodeURIComponent(later[0])}`);
    for (let times = 0; times < 3; times++) {
      await crowd.join(later[0]);
      await page.locator(".badge", { hasText: "Online" }).waitFor();
      await crowd.leave(later[0]);
      await page.locator(".badge", { hasText: "Offline" }).waitFor();
    }
    for (const name of ["Dora", "Emil", "Fay"]) {
      await page.goto("/admin/settings/team");
      const form = page.locator("#add-user");
      await form.getByLabel("Name").fill(name);
      await form.getByLabel("Email").fill(`${name.toLowerCase()}@example.com`);
      await form.getByLabel("Password").fill("a password of the tests");
      await form.getByRole("button", { name: "Add user" }).click();
      await page.getByText(`Added ${name}.`).waitFor();
    }
  });

  it("show the report of a check, again after a reload", async () => {
    await using person = await meet();
    const page = await person.open("/admin/settings/check");
    await page.getByRole("button", { name: "Run check" }).click();
    await page.locator(".check-findings tbody tr").first().waitFor();
    const lastChecked = () => page.locator("#check time").getAttribute("datetime");
    const time = await lastChecked();
    for (let times = 0; times < 4; times++) {
      await page.reload();
      assert.equal(await lastChecked(), time);
    }
  });
});

/** Users of the app, each on the next server in turn. */
class Crowd implements AsyncDisposable {
  readonly #clients = new Map<string, AppClient>();
  #joins = 0;

  constructor(readonly server: Rollcall, readonly channel: string) {}

  async join(...names: string[]): Promise<void> {
    const { origins } = this.server;
    for (const name of names) {
      const client = await AppClient.connect(
        { origin: origins[this.#joins++ % origins.length] },
        app,
      );
      this.#clients.set(name, client);
      await client.join(this.channel, { user_id: name, user_info: {}, rollcall: { name } });
    }
  }

  async leave(...names: string[]): Promise<void> {
    for (const name of names) {
      await this.#clients.get(name)?.[Symbol.asyncDispose]();
      this.#clients.delete(name);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.leave(...this.#clients.keys());
  }
}

/** A crowd of which some have left again. */
async function crowdBefore(server: Rollcall, channel: string): Promise<Crowd> {
  const crowd = new Crowd(server, channel);
  await crowd.join(...left, ...earlier);
  await crowd.leave(...left);
  return crowd;
}

/** Waits until the live view has exactly these people, in its number and by name. */
async function seesPeople(page: Page, names: string[]): Promise<void> {
  await seesList(page);
  await seesNames(page, names);
  await seesLive(page, names.length);
}

/** Waits until the recent activity has a line for each of them. */
async function seesTicker(page: Page, change: string, names: string[]): Promise<void> {
  for (const name of names) {
    await page.locator("#ticker li", { hasText: name }).filter({ hasText: change }).first()
      .waitFor();
  }
}

/** Waits until the page of a channel lists an event as often as it was sent. */
async function seesEvents(page: Page, name: string, count: number): Promise<void> {
  const events = page.locator(".events-name").getByText(name, { exact: true });
  await events.nth(count - 1).waitFor();
  assert.equal(await events.count(), count);
}
