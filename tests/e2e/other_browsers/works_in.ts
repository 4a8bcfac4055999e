import assert from "node:assert/strict";
import { z } from "zod";
import { afterAll, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { Cable } from "../../fixtures/cable.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { MemberSockets } from "../../fixtures/member_sockets.ts";
import { ada, moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { makeLink, revokeLink } from "../../fixtures/admin_forms.ts";
import { callIn, type DrivenBrowser } from "../../fixtures/webdriver/driven_browser.ts";
import { passTime, type Screen, sees, submitForm } from "../../fixtures/webdriver/screen.ts";

const app = { id: "rollcall", key: "other-browsers-key", secret: "3a1fb1d6c0d84a1d9b6d0f0c" };

/** Longer than a lost connection counts as reconnecting, in milliseconds. */
const outOfDateMs = 60_000;

/** What holds in every browser: the specification of the screen, its states, and the wallboard. */
export function worksIn(name: string, launch: () => Promise<DrivenBrowser>): void {
  describe(`in ${name}`, () => {
    let server: Rollcall;
    let cable: Cable;
    let browser: DrivenBrowser;
    let admin: HttpVisitor;

    beforeAll(async () => {
      server = await Rollcall.start({
        PUSHER_APP_KEY: app.key,
        PUSHER_APP_SECRET: app.secret,
      });
      [admin] = await moveIn(server);
      cable = await Cable.to(server.origin);
      browser = await launch();
      await open("/sign-in?return=/admin/online");
      await sees(browser, { heading: "Sign in" });
      await submitForm(browser, ada);
      await sees(browser, { path: "/admin/online" });
      await countAdmin(browser);
    });
    afterAll(async () => {
      await browser[Symbol.asyncDispose]();
      await cable[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    });

    beforeEach(() => cable.mend());

    function open(path: string): Promise<void> {
      return browser.open(cable.origin + path);
    }

    async function openLive(path: string, number: string): Promise<Screen> {
      await open(path);
      return await sees(browser, { path, status: "live", number });
    }

    it("the screen has its title and its chart with one bar, inside of #app", async () => {
      await openLive("/admin/online", "1");
      const screen = await sees(browser, { bars: 1 });
      assert.equal(screen.heading, "Current Users Online");
      assert.match(screen.title, /^\(1\) Current Users Online/);
      assert.equal(screen.mounted, 1);
      assert.equal(screen.caption, "Number of users online");
      assert.equal(screen.chartLabel, "Bar chart: 1 user online.");
      assert.equal(screen.canvasHeight, 100);
    });

    it("the number and the bar follow users who are here, join and leave", async () => {
      await using members = new MemberSockets(server, app);
      await members.join("first");
      await openLive("/admin/online", "2");
      const { barHeight } = await sees(browser, { bars: 1 });
      await members.join("second");
      await sees(
        browser,
        { status: "live", number: "3" },
        (screen) => screen.barHeight > barHeight,
      );
      await members.leave("second");
      await sees(browser, { status: "live", number: "2", barHeight });
      await members.leave("first");
      await sees(
        browser,
        { status: "live", number: "1" },
        (screen) => screen.barHeight < barHeight,
      );
    });

    it("a choice in a form is as high as the fields beside it", async () => {
      await open("/admin/settings/alerts");
      await sees(browser, { heading: "Alerts" });
      const heights = await callIn(
        browser,
        z.array(z.number()),
        () =>
          ["alert-direction", "alert-users"].map((id) =>
            document.getElementById(id)?.offsetHeight ?? 0
          ),
      );
      assert.deepEqual(heights, [36, 36]);
    });

    it("ten quick page changes end live, with the viewer counted once", async () => {
      for (let count = 0; count < 10; count++) {
        const path = ["/", "/admin/settings/team", "/admin/online"][count % 3];
        await open(path);
        await sees(browser, { path });
      }
      await sees(browser, { path: "/", status: "live", number: "1" });
      await openLive("/admin/online", "1");
    });

    it("a lost connection is reconnecting, then out of date, then live with the new number", async () => {
      const { numberColour } = await openLive("/admin/online", "1");
      cable.cut();
      await sees(browser, { status: "reconnecting", number: "1" });
      await using members = new MemberSockets(server, app);
      await members.join("meanwhile");
      await passTime(browser, outOfDateMs);
      const { text } = await sees(browser, { status: "outdated", number: "1" });
      assert.match(text, /Out of date[^]*Last updated \d{1,2}:\d\d:\d\d/);
      cable.mend();
      await sees(browser, { status: "live", number: "2", numberColour });
      await members.leave("meanwhile");
      await sees(browser, { number: "1" });
    });

    it("a wallboard follows, goes out of date and recovers, and says that its link is revoked", async () => {
      const link = await makeLink(admin);
      const { numberColour } = await openLive(link.path, "0");
      await using members = new MemberSockets(server, app);
      await members.join("first", "second");
      await sees(browser, { status: "live", number: "2" });
      await members.leave("first");
      await sees(browser, { status: "live", number: "1", numberColour });
      cable.cut();
      await sees(browser, { status: "reconnecting" });
      await passTime(browser, outOfDateMs);
      const outdated = await sees(browser, { status: "outdated", number: "1" });
      assert.match(outdated.text, /Out of date\s+Last updated \d{1,2}:\d\d:\d\d/);
      assert.notEqual(outdated.numberColour, numberColour);
      cable.mend();
      await sees(browser, { status: "live", number: "1", numberColour });
      await members.leave("second");
      await sees(browser, { status: "live", number: "0" });
      await revokeLink(admin, link);
      await sees(browser, { heading: "This link has been revoked", number: "" });
    });
  });
}

/** Counts the admin of the page in this browser, also once the users of the tests have come. */
async function countAdmin(browser: DrivenBrowser): Promise<void> {
  await callIn(browser, z.null(), () => {
    const button = document.querySelector<HTMLButtonElement>("button.switch[name=counted]")!;
    button.value = "yes";
    // The heading of the answer shows that it has come.
    document.querySelector("h1")!.textContent = "";
    button.form!.requestSubmit(button);
    return null;
  });
  await sees(browser, { path: "/admin/online", heading: "Current Users Online" });
}
