import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { Browser, Page } from "playwright-core";
import { AdmittedSocket } from "../fixtures/admitted_socket.ts";
import { SettableClock } from "../fixtures/another_hour.ts";
import { launchBrowser, Person, seesLive } from "../fixtures/browser.ts";
import { until } from "../fixtures/eventually.ts";
import type { HttpVisitor } from "../fixtures/http_visitor.ts";
import { moveInWithForms } from "../fixtures/people.ts";
import { Rollcall } from "../fixtures/rollcall.ts";
import { serveCommand } from "../fixtures/program.ts";

const key = "a-key-of-the-tests";

/** Summer time begins at the end of this day: 23:59 is followed by 01:00. */
const eve = { time: "2028-04-27 23:50:00", zone: "Africa/Cairo", language: "ar_EG.UTF-8" };
const evening = Date.parse("2028-04-27T23:50:00+02:00");
/** The start of the next day, ten minutes later. */
const start = Date.parse("2028-04-28T01:00:00+03:00");

describe("pages that stay open while a day begins at 01:00", () => {
  let clock: SettableClock;
  let server: Rollcall;
  let browser: Browser;
  let admin: Person;
  let page: Page;
  let ben: HttpVisitor;

  beforeAll(async () => {
    clock = new SettableClock(eve);
    server = await Rollcall.startCommand(
      ["/usr/bin/env", "-u", "FAKETIME", ...serveCommand],
      { ...clock.environment, PUSHER_APP_KEY: key, PUSHER_APP_SECRET: "s".repeat(20) },
    );
    browser = await launchBrowser();
    const [ada, ...others] = await moveInWithForms(server, "user");
    ben = others[0];
    admin = await Person.meet(browser, server.origin, {
      visitor: ada,
      timezoneId: eve.zone,
      locale: "ar-EG",
      reducedMotion: "reduce",
    });
    await admin.context.clock.install({ time: evening });
    page = await admin.open("/admin/online");
    await seesLive(page, 1);
  });
  afterAll(async () => {
    await admin[Symbol.asyncDispose]();
    await browser.close();
    await server[Symbol.asyncDispose]();
    clock[Symbol.dispose]();
  });

  /** Waits until lines of the recent activity have these times. */
  async function seesTimes(...expected: RegExp[]): Promise<void> {
    const sources = expected.map(({ source }) => source);
    await page.waitForFunction((sources) => {
      const times = [...document.querySelectorAll(".ticker time")];
      return times.length === sources.length &&
        times.every(({ textContent }, at) => new RegExp(sources[at]).test(textContent ?? ""));
    }, sources);
  }

  const seesPeak = (text: string) =>
    page.locator(".history-peak", { hasText: new RegExp(`^${text}$`) }).waitFor();

  it("have the times of the old day before it ends", async () => {
    await seesTimes(/^11:5\d:\d\d\sPM$/);
    await seesPeak("1 at 11:5\\d\\sPM");
  });

  it("request the history of the new day", async () => {
    clock.set("2028-04-28 01:00:00");
    const [request] = await Promise.all([
      page.waitForRequest(/\/admin\/online\/history\?.*midnight=/),
      page.clock.fastForward(10 * 60_000),
    ]);
    assert.equal(Number(new URL(request.url()).searchParams.get("midnight")), start);
  });

  it("have the date of what was on the old day, and the peak of the new one", async () => {
    await using socket = await AdmittedSocket.connect(server, key, ben);
    await socket.join("presence-chart");
    await seesTimes(/^1:0\d:\d\d\sAM$/, /^Apr 27$/);
    await page.clock.fastForward(65_000);
    await seesPeak("2 at 1:0\\d\\sAM");
  });

  it("filter the activity from midnight, which is 01:00", async () => {
    await page.goto("/admin/activity?who=ada");
    await page.getByLabel("From").fill("2028-04-28T00:00");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.waitForURL(/from=2028/);
    const from = new URL(page.url()).searchParams.get("from");
    assert.equal(from, new Date(start).toISOString());
    const shown = () => page.getByLabel("From").inputValue();
    await until(async () => await shown() === "2028-04-28T01:00", "the field was in local time");
  });
});
