import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { launchBrowser, Person, seesLive } from "../../fixtures/browser.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

describe("a page of your own", () => {
  it("can have several UsersCount islands on one connection", async () => {
    const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
    await using server = await Rollcall.start({}, folder, "tests/fixtures/app_with_own_page.tsx");
    const [ada, ben] = await moveIn(server);
    const browser = await launchBrowser();
    try {
      await using first = await Person.meet(browser, server.origin, { visitor: ada });
      await using second = await Person.meet(browser, server.origin, { visitor: ben });
      let sockets = 0;
      first.context.on("page", (page) =>
        page.on("websocket", (socket) => {
          // The others are of the development server, which reloads pages.
          if (socket.url().includes("/app/")) sockets++;
        }));
      await first.open("/own");
      await seesLive(first.page, 1);
      await second.open("/admin/settings/team");
      await seesLive(first.page, 2);
      const numbers = first.page.locator("#app .users-count-number");
      assert.deepEqual(await numbers.allTextContents(), ["2", "2", "2"]);
      assert.equal(sockets, 1);
    } finally {
      await browser.close();
    }
  });

  it("can use the two helpers from its markup", async () => {
    await using server = await Rollcall.start();
    const [ada] = await moveIn(server);
    const browser = await launchBrowser();
    try {
      await using person = await Person.meet(browser, server.origin, { visitor: ada });
      const page = await person.open("/admin/settings/team");
      await seesLive(page, 1);
      await page.evaluate(() => {
        const own = document.createElement("div");
        own.innerHTML = `<button id="names" data-toggle-text="Show names|Hide names">?</button>
          <p id="state" class="big status-ok status-new mystatus-x">…</p>
          <button id="clear" data-remove-class="status-*" data-target="#state">Clear</button>`;
        document.querySelector("#app")?.append(own);
      });
      const names = page.locator("#names");
      for (const text of ["Show names", "Hide names", "Show names"]) {
        await names.click();
        assert.equal(await names.textContent(), text);
      }
      await page.locator("#clear").click();
      assert.equal(await page.locator("#state").getAttribute("class"), "big mystatus-x");
    } finally {
      await browser.close();
    }
  });
});
