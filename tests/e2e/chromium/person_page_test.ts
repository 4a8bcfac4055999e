import assert from "node:assert/strict";
import { describe } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { until } from "../../fixtures/eventually.ts";
import { it } from "../../fixtures/long_run.ts";
import { MemberSockets } from "../../fixtures/member_sockets.ts";
import { ben as benAccount, userId } from "../../fixtures/people.ts";

const app = { id: "4711", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };
const ann = {
  id: "ann",
  options: { name: "Ann Ek", detail: "ann@example.com" },
  page: { path: "/basket", device: "phone" as const },
};

/** The value of a fact. */
function fact(page: Page, name: string) {
  return page.locator("#person .facts > div", { has: page.locator("dt", { hasText: name }) })
    .locator("dd");
}

describe("the page of a person", () => {
  const harness = BrowserHarness.ofGroup({
    PUSHER_APP_ID: app.id,
    PUSHER_APP_KEY: app.key,
    PUSHER_APP_SECRET: app.secret,
    PRESENCE_GRACE_MS: "0",
  }, { role: "user" });

  it("follows a person who comes and goes, and never contradicts itself", async () => {
    await using members = new MemberSockets(harness.server, app);
    await members.join(ann);
    await using admin = await harness.meet(harness.ada);
    const page = await admin.open("/admin/people/ann");
    const badge = (text: string) => page.locator("#person .badge", { hasText: text }).waitFor();
    await badge("Online");
    await page.locator("#pages").getByText("/basket").waitFor();
    assert.equal(await fact(page, "Open tabs").innerText(), "1");
    assert.equal(await fact(page, "Last heard from").innerText(), "now");
    await page.evaluate(recordContradictions);

    await members.leave("ann");
    await badge("Offline");
    assert.equal(await fact(page, "Open tabs").count(), 0);
    assert.equal(await fact(page, "Online since").count(), 0);
    assert.equal(await page.locator("#pages").count(), 0);
    assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "Ann Ek");
    await page.locator("#activity li").first().getByText("left").waitFor();
    await page.locator("#disconnect").getByText("This person has no open tabs.").waitFor();

    await members.join({ ...ann, page: { path: "/paid", device: "desktop" } });
    await badge("Online");
    await page.locator("#pages").getByText("/paid").waitFor();
    await page.locator("#activity li").nth(2).waitFor();
    await page.locator("#disconnect").getByRole("button", { name: "Disconnect", exact: true })
      .waitFor();
    const contradictions = await page.evaluate(() =>
      // The page's global variable.
      (globalThis as unknown as { contradictions: string[] }).contradictions
    );
    assert.deepEqual(contradictions, []);
  });

  it.inLongRun("says without script of which time it is", async () => {
    await using members = new MemberSockets(harness.server, app);
    await members.join(ann);
    await using admin = await harness.meet(harness.ada, { javaScriptEnabled: false });
    const page = await admin.open("/admin/people/ann");
    assert.match(await page.locator("#person").innerText(), /As of \d\d:\d\d:\d\d UTC\./);
    await using other = await harness.meet(harness.ada);
    const live = await other.open("/admin/people/ann");
    await live.locator("#person").waitFor();
    assert.ok(await live.getByText("As of").isHidden(), "a live page is of now");
  });

  it.inLongRun("has the last entry of the activity as the last sign of a person who is offline, or nothing", async () => {
    await using members = new MemberSockets(harness.server, app);
    await members.join("otto");
    await members.leave("otto");
    await until(async () => {
      const { status, text } = await harness.ada.get("/admin/people/otto");
      return status === 200 && text.includes("left");
    }, "the leave was recorded");
    await using admin = await harness.meet(harness.ada);
    const page = await admin.open("/admin/people/otto");
    const left = page.locator("#activity li", { hasText: "left" }).locator("time");
    const at = await left.getAttribute("datetime");
    assert.equal(await fact(page, "Last heard from").locator("time").getAttribute("datetime"), at);
    assert.match(await fact(page, "Last heard from").innerText(), /^just now|ago$/);
    await page.goto(`/admin/people/${await userId(harness.ada, benAccount)}`);
    assert.equal(await fact(page, "Last heard from").innerText(), "–");
  });

  it("is beside the list where there is room, for the person whose row is clicked, live", async () => {
    await using members = new MemberSockets(harness.server, app);
    await members.join(ann, { id: "otto", options: { name: "Otto Berg" } });
    await using admin = await harness.meet(harness.ada);
    const page = await admin.open("/admin/online");
    const panel = page.locator(".person-panel");
    await page.locator("tr", { hasText: "Ann Ek" }).locator(".online-table-since").click();
    await panel.getByRole("heading", { name: "Ann Ek" }).waitFor();
    await panel.locator("#pages").getByText("/basket").waitFor();
    assert.match(await panel.locator("#visits").innerText(), /Visits\s+\d+\s+Time online/);
    const timeline = panel.locator(".timeline").first();
    await timeline.locator("li", { hasText: "Joined" }).first().waitFor();
    members.use("ann", { state: "idle", seconds: 0 });
    await timeline.locator("li").first().getByText("Idle").waitFor();
    members.use("ann", { state: "active" });
    await timeline.locator("li").first().getByText("Active again").waitFor();
    assert.match(
      await timeline.innerText(),
      /Active again\s[^]*Idle\s[^]*\/basket phone\s[^]*Joined/,
      "the page saw the idle time, which nothing stores",
    );
    assert.match(page.url(), /\/admin\/online#person=ann$/);

    await panel.press("ArrowDown");
    await panel.getByRole("heading", { name: "Otto Berg" }).waitFor();
    await panel.press("ArrowUp");
    await panel.getByRole("heading", { name: "Ann Ek" }).waitFor();

    await members.leave("ann");
    await panel.locator(".badge", { hasText: "Offline" }).waitFor();
    await panel.press("Escape");
    await panel.waitFor({ state: "detached" });
    assert.doesNotMatch(page.url(), /#/);

    await page.locator("tr", { hasText: "Otto Berg" }).getByRole("link").press("Enter");
    const act = panel.locator("summary", { hasText: "Disconnect" });
    const box = await act.boundingBox();
    assert.ok(box && box.y + box.height <= 720, "acts are in sight");
    await act.click();
    await panel.getByRole("button", { name: "Disconnect", exact: true }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    await panel.getByRole("button", { name: "Close" }).click();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Otto Berg");
  });

  it.inLongRun("opens beside the list from an address, and as a page where there is no room", async () => {
    await using members = new MemberSockets(harness.server, app);
    await members.join(ann);
    await using admin = await harness.meet(harness.ada);
    const page = await admin.open("/admin/online#person=ann");
    await page.locator(".person-panel").getByRole("heading", { name: "Ann Ek" }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/admin/online");
    await page.locator("tr", { hasText: "Ann Ek" }).getByRole("link").first().click();
    await page.waitForURL("**/admin/people/ann");
    const acts = page.locator(".person-acts");
    assert.equal(await acts.getByRole("link").count(), 2);
    const box = await acts.boundingBox();
    assert.ok(box && box.y > 600 && box.y + box.height <= 844, "acts are in sight");
  });

  it.inLongRun("breaks a long email after its parts on a narrow screen", async () => {
    const email = "cornelia.hohenstein@subsidiary.example-company.com";
    await harness.ada.submit("/admin/settings/team", {
      ...benAccount,
      name: "Cornelia",
      email,
      role: "user",
    });
    await using admin = await harness.meet(harness.ada, {
      viewport: { width: 390, height: 844 },
    });
    const page = await admin.open(`/admin/people/${await userId(harness.ada, { email })}`);
    await page.locator("#person .badge").waitFor();
    await fact(page, "Email").waitFor();
    const broken = await fact(page, "Email").evaluate((element) => {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const parts: string[] = [];
      while (texts.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        if (range.getClientRects().length > 1) parts.push(texts.currentNode.textContent!);
      }
      return parts;
    });
    assert.deepEqual(broken, []);
    assert.equal(await fact(page, "Email").innerText(), email);
  });
});

/** Runs in the page: notes each state in which its parts are not of the same moment. */
function recordContradictions(): void {
  const contradictions: string[] = [];
  Object.assign(globalThis, { contradictions });
  const look = () => {
    // A page that waits for its server says what it knew last.
    const badge = document.querySelector("#person .badge")?.textContent ?? "";
    const isOnline = ["Online", "Last known: online"].includes(badge);
    const facts = document.querySelector("#person .facts")?.textContent ?? "";
    const canDisconnect = !document.querySelector("#disconnect")?.textContent
      ?.includes("no open tabs");
    const parts = [
      isOnline,
      facts.includes("Open tabs"),
      facts.includes("Online since"),
      canDisconnect,
    ];
    const hasPages = document.querySelector("#pages") !== null;
    if (new Set(parts).size > 1 || (hasPages && !isOnline)) {
      contradictions.push(`${parts}, pages: ${hasPages}`);
    }
  };
  look();
  new MutationObserver(look).observe(document.querySelector("main")!, {
    childList: true,
    subtree: true,
    characterData: true,
  });
}
