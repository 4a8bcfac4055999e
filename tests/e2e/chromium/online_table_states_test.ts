import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { Person, seesList, seesLive, seesNames, seesTableStatus } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { Cable } from "../../fixtures/cable.ts";
import { until } from "../../fixtures/eventually.ts";
import { MemberSockets } from "../../fixtures/member_sockets.ts";

const app = { id: "4711", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };
const settings = {
  PUSHER_APP_KEY: app.key,
  PUSHER_APP_SECRET: app.secret,
  PRESENCE_GRACE_MS: "0",
};

describe("the status of the online table", () => {
  const harness = BrowserHarness.ofGroup(settings);

  it("is out of date while the server is paused, and the list is replaced afterwards", async () => {
    await using admin = await harness.meet(harness.ada);
    admin.expectsConsoleErrors = true;
    await admin.context.clock.install();
    const page = await admin.open("/admin/online");
    const other = await harness.meet(harness.ben);
    await using members = new MemberSockets(harness.server, app);
    await other.open("/");
    await seesNames(page, ["Ada", "Ben"]);

    harness.server.signal("SIGSTOP");
    try {
      await other.context.close();
      await page.clock.fastForward("00:30");
      await seesTableStatus(page, "reconnecting");
      await seesNames(page, ["Ada", "Ben"]);
      await page.clock.fastForward("01:00");
      await seesTableStatus(page, "outdated");
      assert.match(
        await page.locator("#online").innerText(),
        /Out of date\s+Last updated \d{1,2}:\d\d:\d\d/,
      );
      assert.equal(await page.locator("#online-table .badge").count(), 0, "it is said once");
      assert.notEqual(await colourOfNames(page), await colour(page, "--ink"));
      assert.equal(
        await page.locator("#online [data-status]").getAttribute("data-status"),
        "outdated",
      );
    } finally {
      harness.server.signal("SIGCONT");
    }
    await seesList(page);
    await seesNames(page, ["Ada"]);
    await seesLive(page, 1);
    assert.equal(await colourOfNames(page), await colour(page, "--ink"));
    await members.join("shop-1");
    await seesNames(page, ["Ada", "shop-1"]);
  });

  it("is reconnecting during a short loss, with the last list, and then with the new one", async () => {
    await using cable = await Cable.to(harness.server.origin);
    await using admin = await Person.meet(harness.browser, cable.origin, { visitor: harness.ada });
    admin.expectsConsoleErrors = true;
    await using members = new MemberSockets(harness.server, app);
    const page = await admin.open("/admin/online");
    await members.join("shop-1", "shop-2");
    await seesNames(page, ["Ada", "shop-1", "shop-2"]);
    cable.cut();
    await seesTableStatus(page, "reconnecting");
    await members.leave("shop-1");
    await members.join("shop-3");
    await seesNames(page, ["Ada", "shop-1", "shop-2"]);
    cable.mend();
    await seesNames(page, ["Ada", "shop-2", "shop-3"]);
    await seesList(page);
  });

  it("has a problem when the list cannot be loaded, with a button that retries now", async () => {
    await using admin = await harness.meet(harness.ada);
    admin.expectsConsoleErrors = true;
    let asked = 0;
    let fails = true;
    await admin.context.route(/\/admin\/online\/snapshot/, async (route) => {
      asked++;
      if (fails) await route.fulfill({ status: 503, body: "{}" });
      else await route.continue();
    });
    const page = await admin.open("/admin/online");
    const problem = page.locator(".online-table-problem");
    await problem.waitFor();
    assert.match(await problem.innerText(), /Couldn't load the list\. Retrying…/);
    await seesNames(page, ["Ada"]);
    const before = asked;
    await problem.getByRole("button", { name: "Retry now" }).click();
    await until(() => asked > before, "the list was requested again");
    fails = false;
    await problem.getByRole("button", { name: "Retry now" }).click();
    await seesList(page);
    assert.equal(await problem.count(), 0);
  });

  it("is disconnected for a reader who is not an admin any longer, with the reason", async () => {
    await using admin = await harness.meet(harness.ada);
    admin.expectsConsoleErrors = true;
    await admin.context.route(
      /\/admin\/online\/snapshot/,
      (route) => route.fulfill({ status: 403, body: "{}" }),
    );
    const page = await admin.open("/admin/online");
    await seesTableStatus(page, "refused");
    assert.match(
      await page.locator(".online-table-problem").innerText(),
      /You've been signed out\. Sign in again/,
    );
    assert.equal(await page.getByRole("button", { name: "Retry now" }).count(), 0);
  });
});

function colourOfNames(page: Page): Promise<string> {
  return page.locator(".online-table-name a").first().evaluate((link) =>
    getComputedStyle(link).color
  );
}

/** What a colour of the style sheet comes to. */
function colour(page: Page, name: string): Promise<string> {
  return page.evaluate((name) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = `var(${name})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);
}
