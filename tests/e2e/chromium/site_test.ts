import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { seesLive, seesNames } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import {
  changeSiteTag,
  makeEmbed,
  makeSiteTag,
  revokeSiteTag,
} from "../../fixtures/admin_forms.ts";
import { OtherSite } from "../../fixtures/other_site.ts";

describe("a site tag in a browser", () => {
  const harness = BrowserHarness.ofGroup({ PRESENCE_GRACE_MS: "0" });

  /** A page of another site with a tag for it. */
  async function taggedSite() {
    const tag = await makeSiteTag(harness.ada);
    const src = harness.server.origin + tag.script;
    const site = new OtherSite(
      `<script async src="${src}"></script><p data-rollcall-count></p>` +
        `<p data-rollcall-count="{count} read this"></p>`,
    );
    await changeSiteTag(harness.ada, tag, { origins: site.origin });
    return { tag, site };
  }

  it("counts the visitors of a plain page as guests, shows the number, and stops when revoked", async () => {
    const { tag, site } = await taggedSite();
    await using _site = site;
    await using admin = await harness.meet(harness.ada);
    const watching = await admin.open("/admin/online");
    const context = await harness.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${site.origin}/articles/7`);
    await page.getByText("2 here now", { exact: true }).waitFor();
    await page.getByText("2 read this", { exact: true }).waitFor();
    await seesLive(watching, 2);
    await seesNames(watching, ["Ada", /^Guest [0-9a-f]{4}$/]);
    await watching.getByText(/^1 user, 1 guest, /).waitFor();
    await watching.getByText("/articles/7").first().waitFor();
    const embed = await makeEmbed(harness.ada);
    const seen = await admin.context.newPage();
    for (const path of ["/", embed.page]) {
      await seen.goto(harness.server.origin + path);
      await seen.getByText("1 user, 1 guest", { exact: true }).waitFor();
    }
    await seen.goto(`${harness.server.origin}/admin/channels`);
    for (const table of ["apps-title", "channels-title"]) {
      await seen.locator(`table[aria-labelledby="${table}"], [aria-labelledby="${table}"] table`)
        .getByText("2 online (1 user, 1 guest)").waitFor();
    }
    await seen.getByRole("link", { name: "presence-chart" }).click();
    await seen.locator(".channel-facts").getByText("2 (1 user, 1 guest)").waitFor();
    await seen.close();
    const stored = () => page.evaluate(() => sessionStorage.getItem("rollcall-guest"));
    const guest = await stored();
    await page.reload();
    await page.getByText("2 here now", { exact: true }).waitFor();
    assert.equal(await stored(), guest);
    assert.deepEqual(await context.cookies(), []);

    const other = await (await harness.browser.newContext()).newPage();
    await other.goto(site.origin);
    await page.getByText("3 here now", { exact: true }).waitFor();
    await seesLive(watching, 3);
    await other.context().close();
    await page.getByText("2 here now", { exact: true }).waitFor();
    await seesLive(watching, 2);

    const stopped = page.waitForEvent("console", (message) => /revoked/.test(message.text()));
    await revokeSiteTag(harness.ada, tag);
    assert.match((await stopped).text(), /^Rollcall: This site tag has been revoked$/);
    await seesLive(watching, 1);
    assert.equal(await page.locator("[data-rollcall-count]").first().textContent(), "");
    await context.close();
  });

  it("counts no one on a page of another origin, and says why in the console", async () => {
    const { tag, site } = await taggedSite();
    await using _site = site;
    await changeSiteTag(harness.ada, tag, { origins: "https://example.com" });
    const page = await harness.browser.newPage();
    const refused = page.waitForEvent(
      "console",
      (message) => message.text().startsWith("Rollcall: "),
    );
    await page.clock.install();
    await page.goto(site.origin);
    const ticking = setInterval(() => page.clock.runFor(60_000).catch(() => {}), 50);
    try {
      assert.equal(
        (await refused).text(),
        `Rollcall: Is ${site.origin} an origin of the site tag?`,
      );
    } finally {
      clearInterval(ticking);
    }
    assert.equal(await page.locator("[data-rollcall-count]").first().textContent(), "");
    await page.close();
  });
});
