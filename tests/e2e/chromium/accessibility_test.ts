import assert from "node:assert/strict";
import { dateAfter, dateAt } from "@/server/history/day_summary.ts";
import { recordDays } from "../../fixtures/database_contents.ts";
import type axe from "axe-core";
import type { RunOptions } from "axe-core";
// Half as long as the other build: each page compiles it.
import minifiedAxe from "axe-core/axe.min.js";
import type { Page } from "playwright-core";
import { beforeAll, describe } from "@std/testing/bdd";
import { Person } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { addApp, inviteLink, makeEmbed, makeToken, resetLink } from "../../fixtures/admin_forms.ts";
import { isShortRun, it } from "../../fixtures/long_run.ts";
import { AppClient } from "../../fixtures/member_sockets.ts";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { ben, moveIn, userId } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const missing = "/nowhere";

/**
 * The narrowest window in which nothing may need scrolling sideways (WCAG 2.2, 1.4.10): 1280 px at
 * 400 %.
 */
const narrow = { width: 320, height: 640 };
const wide = { width: 1280, height: 720 };

describe("every page", () => {
  const harness = BrowserHarness.ofGroup({}, { role: "user" });
  let admins: Record<string, string>;
  const strangers = {
    "sign-in": "/sign-in",
    "the list of the documentation": "/docs",
    "a page of the documentation": "/docs/client",
    "a search in the documentation": "/docs/search?q=proxy",
    "a missing page": missing,
  };

  beforeAll(async () => {
    await harness.ada.submit("/admin/settings/check", {});
    const person = `/admin/people/${await userId(harness.ada, ben)}`;
    const shop = await addApp(harness.ada, "Shop");
    const desk = { app: shop, name: "presence-desk" };
    await makeToken(harness.ada, { name: "A shop with a long name", scope: "names" });
    await harness.ada.get(`/admin/channels/channel?${new URLSearchParams(desk)}&record=yes`);
    await harness.ada.submit("/admin/channels/channel", { ...desk, event: "paid", data: "{}" });
    const yesterday = dateAfter(dateAt(Date.now(), "UTC"), -1);
    await recordDays(harness.server, "UTC", { [dateAfter(yesterday, -1)]: null, [yesterday]: 7 });
    admins = {
      "home": "/",
      "the live view": "/admin/online",
      "the live view of a month": "/admin/online?range=month",
      "a person": person,
      "a message to all": "/admin/messages",
      "the attendance log": "/admin/activity",
      "the numbers over time": "/admin/activity/numbers",
      "the admin log": "/admin/activity/admins",
      "connecting an app": `/admin/settings/connect?app=${shop}`,
      "the channels": "/admin/channels",
      "the search": "/admin/find?q=a",
      "a channel": `/admin/channels/channel?app=${shop}&name=presence-desk&record=yes`,
      "the users": "/admin/settings/team",
      "a user's account": `/admin/settings/team/${await userId(harness.ada, ben)}`,
      "one's own account": "/account",
      "the alerts": "/admin/settings/alerts",
      "the displays": "/admin/settings/displays",
      "the server": "/admin/settings/server",
      "the site tags": "/admin/settings/sites",
      "an embed": `/admin/settings/embeds/${(await makeEmbed(harness.ada)).id}`,
      "the API, with a token": "/admin/settings/api",
      "the check": "/admin/settings/check",
      "a missing page": missing,
    };
  });

  it("has no axe-core violation for admins, fits a narrow window, and can hold still", async () => {
    await using person = await harness.meet(harness.ada);
    person.expectsConsoleErrors = true;
    for (const [name, path] of Object.entries(admins)) {
      await isAccessible(await settled(person, path), name);
    }
  });

  it("has no axe-core violation for visitors without an account, and fits", async () => {
    await using person = await harness.meet();
    person.expectsConsoleErrors = true;
    for (const [name, path] of Object.entries(strangers)) {
      await isAccessible(await settled(person, path), name);
    }
  });

  it.inLongRun("has no axe-core violation in the frame of an embed", async () => {
    const embed = await makeEmbed(harness.ada);
    await using person = await harness.meet();
    await isAccessible(await settled(person, embed.page), "embed");
  });

  it.inLongRun("has no axe-core violation in the setup, on a wallboard and on an invalid link", async () => {
    await using fresh = await Rollcall.start();
    await using person = await Person.meet(harness.browser, fresh.origin);
    person.expectsConsoleErrors = true;
    const setUp = `/setup?token=${await fresh.setupToken()}`;
    await hasNoFault(await settled(person, setUp), "setup");
    await hasNoFault(await settled(person, `/wallboard/${"x".repeat(43)}`), "no wallboard");
    await harness.ada.get("/admin/settings/displays");
    const { text } = await harness.ada.submit("/admin/settings/wallboards", { name: "Lobby" });
    const path = text.match(/\/wallboard\/[A-Za-z0-9_-]{43}/)?.[0];
    assert.ok(path);
    await using wall = await harness.meet(undefined, { reducedMotion: "reduce" });
    const wallboard = await settled(wall, path);
    // Its button disappears while the pointer rests, but not while it has the focus.
    await wallboard.getByRole("button", { name: "Full screen" }).focus();
    await hasNoFault(wallboard, "wallboard");
  });

  it.inLongRun("has no axe-core violation for people with a link to an account, and fits", async () => {
    await using person = await harness.meet();
    person.expectsConsoleErrors = true;
    const links = {
      "an invitation": await inviteLink(harness.ada),
      "a new password": await resetLink(harness.ada, await userId(harness.ada, ben)),
      "a link that was used": `/invite/${"xxx".padEnd(43, "x")}`,
    };
    for (const [name, path] of Object.entries(links)) {
      await isAccessible(await settled(person, path), name);
    }
  });

  it.inLongRun("has no axe-core violation where the pages of people are known, and fits", async () => {
    const app = { key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };
    await using known = await Rollcall.start({
      PUSHER_APP_ID: "4711",
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
    });
    const [admin] = await moveIn(known);
    await using member = await AdmittedSocket.joinAs(known, app, "ann");
    const data = { path: `/${"a-very-long-name/".repeat(11)}`, device: "phone" };
    const report = { event: "client-rollcall-page", channel: "presence-chart", data };
    member.socket.send(JSON.stringify(report));
    await using person = await Person.meet(harness.browser, known.origin, { visitor: admin });
    for (
      const [path, shown] of [["/admin/online", "#top-pages"], ["/admin/people/ann", "#pages"]]
    ) {
      const page = await settled(person, path);
      await page.locator(shown).waitFor();
      await isAccessible(page, path);
    }
  });

  it.inLongRun("has no axe-core violation where several channels are counted, and fits", async () => {
    const [shop, desk] = ["4711", "4712"].map((id) => (
      { id, key: `key-of-the-tests-${id}`, secret: `a-secret-of-the-tests-${id}` }
    ));
    await using several = await Rollcall.start({
      APPS: JSON.stringify([shop, desk]),
      COUNTED_CHANNELS: "presence-orders 4712/presence-support",
    });
    const [admin] = await moveIn(several);
    await using _ = await (await AppClient.connect(several, desk))
      .join("presence-support", { user_id: "7", rollcall: { name: "Di Desk" } });
    await using person = await Person.meet(harness.browser, several.origin, { visitor: admin });
    for (
      const [path, shown] of [
        ["/admin/online?channel=4712%2Fpresence-support", ".online-table [data-id]"],
        ["/admin/activity", "#activity-channel"],
        ["/admin/settings/alerts?channel=presence-orders", "#alert .choices"],
      ]
    ) {
      const page = await settled(person, path);
      await page.locator(shown).waitFor();
      await isAccessible(page, path);
    }
  });

  it.inLongRun("has no axe-core violation where numbers are stale or a server is missing, and fits", async () => {
    await using one = await Rollcall.start({}, undefined, "tests/fixtures/app_of_servers.ts");
    const [admin] = await moveIn(one);
    await using person = await Person.meet(harness.browser, one.origin, { visitor: admin });
    const states = {
      stale: { staleSince: Date.now() - 50_000 },
      missing: { staleSince: null, alive: { alive: 2, known: 3 } },
    };
    for (const [name, state] of Object.entries(states)) {
      const body = JSON.stringify(state);
      await (await fetch(`${one.origin}/servers`, { method: "POST", body })).text();
      const page = await settled(person, "/admin/online");
      await page.locator(".notice-warning").waitFor();
      await isAccessible(page, `the live view, ${name}`);
    }
  });

  it.inLongRun("has no axe-core violation with an open dialog", async () => {
    await using person = await harness.meet(harness.ada);
    const page = await settled(person, admins["a person"]);
    await page.getByRole("button", { name: /^Disconnect/ }).first().click();
    await page.locator("dialog[open]").waitFor();
    await hasNoFault(page, "dialog");
  });

  it("has no axe-core violation in the search and the list of keys, which fit", async () => {
    await using person = await harness.meet(harness.ada);
    for (const [key, name] of [["Control+k", "the search"], ["?", "the list of keys"]]) {
      const page = await settled(person, "/admin/channels");
      await page.keyboard.press(key);
      await page.locator("dialog[open] :is([role=option], dt)").first().waitFor();
      await isAccessible(page, name);
    }
  });

  it("is usable by keyboard, with a visible focus on every control", async () => {
    await using person = await harness.meet(harness.ada);
    const page = await settled(person, "/admin/online");
    const reached = await tabThrough(page);
    for (const name of ["Skip to content", "Search", "Name", "Activity", "30 d", "Ada"]) {
      assert.ok(reached.some((text) => text.includes(name)), `${name} in ${reached.join(" | ")}`);
    }
  });
});

/** Opens an address in the person's only tab, with axe, and waits until all of it has woken. */
async function settled({ context }: Person, path: string): Promise<Page> {
  // Sent to the browser once, where each evaluation would send it again.
  if (context.pages().length === 0) await context.addInitScript(minifiedAxe.source);
  const [page = await context.newPage()] = context.pages();
  await page.setViewportSize(wide);
  await page.emulateMedia({ reducedMotion: null, colorScheme: null });
  const answer = await page.goto(path, { waitUntil: "networkidle" });
  assert.equal(answer?.status(), path === missing || path.includes("xxx") ? 404 : 200, path);
  return page;
}

/** Tries a page in both colour schemes, in a narrow window, and for a reader who prefers less motion. */
async function isAccessible(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  assert.deepEqual(await moving(page), [], name);
  await page.emulateMedia({ colorScheme: "light" });
  await hasNoFault(page, `${name}, light`);
  if (!isShortRun) {
    await page.emulateMedia({ colorScheme: "dark" });
    await hasNoFault(page, `${name}, dark`, colourRules);
  }
  await page.setViewportSize(narrow);
  const [scrollWidth, clientWidth] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth];
  });
  assert.ok(scrollWidth <= clientWidth, `${name}: ${scrollWidth} in ${clientWidth} px`);
}

/** The classes of elements with an animation or a transition. */
function moving(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("*")].filter((element) => {
      const { transitionDuration, animationName } = getComputedStyle(element);
      return parseFloat(transitionDuration) > 0 || animationName !== "none";
    }).map(({ className }) => String(className))
  );
}

/** The rules that another colour scheme can break; all rules together take a second of CPU. */
const colourRules: RunOptions = { runOnly: ["color-contrast", "link-in-text-block"] };

async function hasNoFault(page: Page, name: string, options: RunOptions = {}): Promise<void> {
  const { violations } = await page.evaluate(
    // The page's global variable.
    (options) => (globalThis as unknown as { axe: typeof axe }).axe.run(options),
    { ...options, resultTypes: ["violations" as const] },
  );
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`)
  );
  assert.deepEqual(faults, [], name);
}

/** What the Tab key reaches, one after the other, until it comes round; each has to be marked. */
async function tabThrough(page: Page): Promise<string[]> {
  const reached: string[] = [];
  await page.locator("body").press("Tab");
  for (let presses = 0; presses < 200; presses++) {
    const focus = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const label = element.getAttribute("aria-label") ?? element.getAttribute("placeholder");
      return {
        name: label ?? element.textContent ?? "",
        isMarked: outlineStyle !== "none" && outlineWidth !== "0px",
      };
    });
    if (!focus) return reached;
    assert.ok(focus.isMarked, `${focus.name} is not marked`);
    reached.push(focus.name);
    await page.keyboard.press("Tab");
  }
  throw new Error(`The focus never comes round: ${reached.join(" | ")}`);
}
