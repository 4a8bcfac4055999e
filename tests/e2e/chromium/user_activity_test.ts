import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { describe, it } from "../../fixtures/long_run.ts";
import { MemberSockets } from "../../fixtures/member_sockets.ts";
import { rowOf, seesList, seesNames } from "../../fixtures/browser.ts";
import { until } from "../../fixtures/eventually.ts";
import { OwnTab } from "../../fixtures/own_tab.ts";
import { ReportingPages } from "../../fixtures/reporting_pages.ts";
import type { PersonSnapshot } from "@/shared/person.ts";

const app = { id: "4711", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };

const later = (page: Page, minutes: number) => page.clock.fastForward(minutes * 60_000);
const press = (page: Page) => page.keyboard.press("ArrowDown");

describe.inLongRun("who reads Rollcall's own pages", () => {
  const harness = BrowserHarness.ofGroup();

  it("is active, idle after five minutes without a touch, and active at one touch", async () => {
    await using ben = await harness.meet(harness.ben);
    const list = await ben.open("/admin/online");
    const state = (name: string) => rowOf(list, name).locator(".activity-state");
    await state("Ben").getByText("Active", { exact: true }).waitFor();
    await using ada = await harness.meet(harness.ada);
    await ada.context.clock.install({ time: Date.now() });
    const page = await ada.open("/");
    await state("Ada").getByText("Active", { exact: true }).waitFor();
    await list.locator(".connections", { hasText: "2 active" }).waitFor();
    await later(page, 5);
    await state("Ada").getByText(/^Idle/).waitFor();
    await list.locator(".connections", { hasText: "1 active" }).waitFor();
    await press(page);
    await state("Ada").getByText("Active", { exact: true }).waitFor();
  });
});

describe("who is active", () => {
  const harness = BrowserHarness.ofGroup({
    PUSHER_APP_ID: app.id,
    PUSHER_APP_KEY: app.key,
    PUSHER_APP_SECRET: app.secret,
    // A frozen tab answers no ping: its user stays in the list, however late the admin's page is.
    PRESENCE_GRACE_MS: "600000",
  });

  it("is in the list, which is filtered and sorted by it, and below the number", async () => {
    await using members = new MemberSockets(harness.server, app);
    await members.join("ann", "bob", "cem");
    // Once an app has users, admins only watch, and report nothing.
    assert.ok(harness.ada.cookies.delete("rollcall_counted"));
    await using admin = await harness.meet(harness.ada);
    const page = await admin.open("/admin/online");
    await seesList(page);
    const state = (name: string) => rowOf(page, name).locator(".activity-state");
    assert.equal(await state("ann").innerText(), "–");
    const filters = page.getByRole("navigation", { name: "Show" });
    assert.equal(await filters.count(), 0);
    assert.doesNotMatch(await page.locator(".connections").innerText(), /active/);

    members.use("ann", { state: "active" });
    members.use("bob", { state: "idle", seconds: 12 * 60 });
    await state("ann").getByText("Active", { exact: true }).waitFor();
    await state("bob").getByText("Idle for 12 min").waitFor();
    assert.equal(await state("cem").innerText(), "–");
    await page.locator(".connections", { hasText: "1 active" }).waitFor();

    await page.getByRole("button", { name: "Activity" }).click();
    await page.locator('[aria-sort="descending"]', { hasText: "Activity" }).waitFor();
    const names = await page.locator(".online-table tbody th a").allInnerTexts();
    assert.deepEqual(names.slice(0, 2), ["ann", "bob"]);
    await filters.getByRole("link", { name: "Idle 1" }).click();
    await seesNames(page, ["bob"]);
    await page.locator(".online-table-foot", { hasText: /^1 of \d people/ }).waitFor();
    await filters.getByRole("link", { name: "Active 1" }).click();
    await seesNames(page, ["ann"]);
    members.use("cem", { state: "active" });
    await filters.getByRole("link", { name: "Active 2" }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get("only"), "active");
    await page.reload();
    await seesNames(page, ["ann", "cem"]);
    await page.goto("/admin/online?only=idle");
    await seesNames(page, ["bob"]);

    await page.goto("/admin/people/bob");
    const fact = page.locator("#person .activity-state");
    await fact.getByText("Idle for 12 min").waitFor();
    members.use("bob", { state: "active" });
    await fact.getByText("Active", { exact: true }).waitFor();
  });

  it.inLongRun("is not said of who is leaving, though a reload changes nothing", async () => {
    await using members = new MemberSockets(harness.server, app);
    await members.join("hal");
    members.use("hal", { state: "active" });
    await using admin = await harness.meet(harness.ada);
    const row = rowOf(await admin.open("/admin/online"), "hal");
    await row.getByText("Active", { exact: true }).waitFor();
    await members.leave("hal");
    await row.getByText("leaving").waitFor();
    assert.equal(await row.locator(".activity-state").innerText(), "–");
    await admin.page.goto("/admin/people/hal");
    await admin.page.getByText("Leaving", { exact: true }).waitFor();
    assert.equal(await admin.page.locator("#person .activity-state").innerText(), "–");
    await members.join("hal");
    await admin.page.locator("#person").getByText("Active", { exact: true }).waitFor();
  });

  /** The pages of a user, whose clocks the test moves, and the user's state in the admin's list. */
  async function meetUser(name: string) {
    const stack = new AsyncDisposableStack();
    const pages = stack.use(new ReportingPages(harness.server, app));
    const user = stack.use(await harness.meet());
    const admin = stack.use(await harness.meet(harness.ada));
    await user.context.clock.install({ time: Date.now() });
    const list = await admin.open("/admin/online");
    const state = rowOf(list, name).locator(".activity-state");
    return {
      address: pages.page(name),
      open: () => user.open(pages.page(name)),
      isActive: () => state.getByText("Active", { exact: true }).waitFor(),
      isIdle: () => state.getByText(/^Idle/).waitFor(),
      /** What the server knows of the user and of each tab. */
      async states() {
        const { text } = await harness.ada.get(`/admin/people/${name}/now`);
        const { presence }: PersonSnapshot = JSON.parse(text);
        return {
          user: presence?.activity?.state,
          tabs: presence?.tabs?.map(({ state }) => state).toSorted() ?? [],
        };
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  }

  const setHidden = (page: Page, isHidden: boolean) =>
    page.evaluate((isHidden) => {
      Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);

  it("is idle after five minutes without a touch, and active at one touch", async () => {
    await using dan = await meetUser("dan");
    const page = await dan.open();
    await dan.isActive();
    await later(page, 5);
    await dan.isIdle();
    await press(page);
    await dan.isActive();
    await later(page, 5);
    await dan.isIdle();
    await page.mouse.wheel(0, 10);
    await dan.isActive();
  });

  it.inLongRun("is active with two tabs while either is, and idle once both are", async () => {
    await using eve = await meetUser("eve");
    const [first, second] = [await eve.open(), await eve.open()];
    const tabsAre = (...states: string[]) =>
      until(async () => String((await eve.states()).tabs) === String(states), `tabs: ${states}`);
    await tabsAre("active", "active");
    await later(first, 5);
    await press(second);
    await tabsAre("active", "idle");
    assert.equal((await eve.states()).user, "active");
    await later(second, 5);
    await eve.isIdle();
    await press(first);
    await eve.isActive();
  });

  it.inLongRun("is idle with a hidden tab only once it has been hidden for as long, and active when it is shown", async () => {
    await using fay = await meetUser("fay");
    const page = await fay.open();
    await fay.isActive();
    await setHidden(page, true);
    await later(page, 4);
    assert.equal((await fay.states()).user, "active");
    await press(page);
    await later(page, 2);
    await fay.isIdle();
    await setHidden(page, false);
    await fay.isActive();
  });

  it.inLongRun("is active while media play, and idle while they are muted or paused", async () => {
    await using pages = new ReportingPages(harness.server, app);
    await using user = await harness.meet();
    await using admin = await harness.meet(harness.ada);
    const state = rowOf(await admin.open("/admin/online"), "ida").locator(".activity-state");
    const isIdle = () => state.getByText(/^Idle/).waitFor();
    const page = await user.open(pages.page("ida", 2_000));
    await page.evaluate((src) => {
      const audio = Object.assign(new Audio(src), { loop: true, id: "audio" });
      document.body.append(audio);
    }, secondOfAudio());
    // Browsers play sound only once a page was touched.
    await page.mouse.click(5, 5);
    await isIdle();
    await playsOn(page);
    await state.getByText("Active", { exact: true }).waitFor();
    await page.locator("#audio").evaluate((audio) => (audio as HTMLAudioElement).pause());
    await isIdle();
    await page.locator("#audio").evaluate((audio) => (audio as HTMLAudioElement).muted = true);
    await playsOn(page);
    const { text } = await harness.ada.get("/admin/people/ida/now");
    const { presence }: PersonSnapshot = JSON.parse(text);
    assert.equal(presence?.activity?.state, "idle");
  });

  it.inLongRun("is idle with a frozen tab, in which no script runs, and active once it is shown again", async () => {
    await using gil = await meetUser("gil");
    await using tab = await OwnTab.open(harness.browser, gil.address);
    await gil.isActive();
    await tab.freeze();
    await gil.isIdle();
    await tab.resume();
    await tab.show();
    await gil.isActive();
  });
});

/** Plays the audio of a page, and waits until it has played for a second or two. */
function playsOn(page: Page): Promise<void> {
  return page.locator("#audio").evaluate(async (audio) => {
    const playing = Promise.withResolvers<void>();
    let updates = 0;
    audio.addEventListener("timeupdate", () => ++updates === 8 && playing.resolve());
    await (audio as HTMLAudioElement).play();
    await playing.promise;
  });
}

/** A second of silence, which media elements play like any sound: a WAVE file of 8 bits at 8 kHz. */
function secondOfAudio(): string {
  const rate = 8_000;
  const file = new Uint8Array(44 + rate).fill(128, 44);
  const view = new DataView(file.buffer);
  file.set(new TextEncoder().encode("RIFF"), 0);
  file.set(new TextEncoder().encode("WAVEfmt "), 8);
  file.set(new TextEncoder().encode("data"), 36);
  for (const [at, value] of [[4, 36 + rate], [16, 16], [24, rate], [28, rate], [40, rate]]) {
    view.setUint32(at, value, true);
  }
  for (const [at, value] of [[20, 1], [22, 1], [32, 1], [34, 8]]) view.setUint16(at, value, true);
  return `data:audio/wav;base64,${file.toBase64()}`;
}
