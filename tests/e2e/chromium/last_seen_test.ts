import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { launchBrowser, Person } from "../../fixtures/browser.ts";
import { MemberSockets } from "../../fixtures/member_sockets.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { rowOf, seesList, seesNames } from "../../fixtures/online_table.ts";

const app = { id: "4711", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };

describe("the last activity of people", () => {
  it("is requested for visible rows every 10 s, and not while the page is hidden", async () => {
    await using server = await Rollcall.start({
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
      PRESENCE_GRACE_MS: "600000",
    });
    const [ada] = await moveIn(server);
    const browser = await launchBrowser();
    try {
      await using members = new MemberSockets(server, app);
      await members.join(...Array.from({ length: 40 }, (_, index) => `m-${100 + index}`));
      await using admin = await Person.meet(browser, server.origin, { visitor: ada });
      await admin.context.clock.install({ time: Date.now() });
      const asked: string[][] = [];
      admin.context.on("request", (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname === "/admin/online/seen") asked.push(searchParams.getAll("ids"));
      });
      const page = await admin.open("/admin/online");
      const nextAsk = () => page.waitForRequest("**/admin/online/seen?*");
      await seesList(page);
      await Promise.all([nextAsk(), page.clock.fastForward(10_000)]);
      const ids = asked.at(-1) ?? [];
      assert.ok(ids.includes("m-100") && !ids.includes("m-139"), `${ids}`);
      assert.ok(ids.length < 20, `${ids.length} were asked for`);

      await page.evaluate(() =>
        Object.defineProperty(document, "hidden", { value: true, configurable: true })
      );
      const before = asked.length;
      await page.clock.fastForward(10_000);
      await page.clock.fastForward(10_000);
      await Promise.all([
        nextAsk(),
        page.evaluate(() => {
          Object.defineProperty(document, "hidden", { value: false });
          document.dispatchEvent(new Event("visibilitychange"));
        }),
      ]);
      assert.equal(asked.length, before + 1);

      assert.match(await rowOf(page, "m-100").innerText(), /now$/);
      await members.leave("m-100");
      await page.getByRole("searchbox").fill("m-100");
      await seesNames(page, ["m-100"]);
      await rowOf(page, "m-100").getByText("just now").waitFor();
    } finally {
      await browser.close();
    }
  });
});
