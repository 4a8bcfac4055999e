import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { describe } from "@std/testing/bdd";
import { seesLive } from "../../fixtures/browser.ts";
import { until } from "../../fixtures/eventually.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { changeEmbed, makeEmbed, revokeEmbed } from "../../fixtures/admin_forms.ts";
import { it } from "../../fixtures/long_run.ts";
import { OtherSite } from "../../fixtures/other_site.ts";

describe("an embed in a browser", () => {
  const harness = BrowserHarness.ofGroup({ PRESENCE_GRACE_MS: "0" });

  /** The blocks of code in a language on the page of an embed, as an admin copies them. */
  async function codeOf({ id }: { id: string }, language: string): Promise<string[]> {
    await using admin = await harness.meet(harness.ada);
    const page = await admin.open(`/admin/settings/embeds/${id}`);
    return await page.locator(`pre[data-language="${language}"]`).allTextContents();
  }

  /** Opens the other site as a person whom Rollcall does not know. */
  async function visit(site: OtherSite): Promise<Page> {
    const page = await harness.browser.newPage();
    await page.goto(site.origin);
    return page;
  }

  it("is shown on another site by the code to copy, and follows the count in its frame", async () => {
    const embed = await makeEmbed(harness.ada);
    await using site = new OtherSite((await codeOf(embed, "html")).join("\n"));
    await changeEmbed(harness.ada, embed, { origins: site.origin });
    const page = await harness.browser.newPage();
    await page.clock.install();
    await page.goto(site.origin);
    const frame = page.frameLocator("iframe");
    await frame.locator("b").filter({ hasText: /^0$/ }).waitFor();
    const image = page.getByRole("img", { name: "Online now" });
    assert.ok(await image.evaluate((image) => (image as HTMLImageElement).naturalWidth) > 60);
    await using other = await harness.meet(harness.ben);
    await seesLive(await other.open("/admin/online"), 1);
    const answered = page.waitForResponse((response) => response.url().endsWith(embed.json));
    await page.clock.runFor(15_000);
    await answered;
    await frame.locator("b").filter({ hasText: /^1$/ }).waitFor();
    await revokeEmbed(harness.ada, embed);
    for (let time = 0; time < 4; time++) {
      const gone = page.waitForResponse((response) => response.url().endsWith(embed.json));
      await page.clock.runFor(15_000);
      await gone;
    }
    await frame.locator("h1[data-outdated]").waitFor();
    await page.close();
  });

  it.inLongRun("follows how many are active in its page, where an admin wants that", async () => {
    const embed = await makeEmbed(harness.ada);
    await changeEmbed(harness.ada, embed, { activity: "all" });
    const page = await harness.browser.newPage();
    await page.clock.install();
    await page.goto(harness.server.origin + embed.page);
    await page.locator("h1", { hasText: "0 online" }).waitFor();
    await using other = await harness.meet(harness.ben);
    await other.open("/admin/online");
    const given = async () =>
      (await (await fetch(harness.server.origin + embed.json)).json()).active;
    await until(async () => await given() === 1, "the embed gave an active user");
    await page.clock.runFor(15_000);
    await page.locator("h1", { hasText: "1 online, 1 active" }).waitFor();
    await page.close();
  });

  it("is not shown in a frame of a site that is not listed", async () => {
    const embed = await makeEmbed(harness.ada);
    await changeEmbed(harness.ada, embed, { origins: "https://example.com" });
    await using site = new OtherSite(
      `<iframe src="${harness.server.origin}${embed.page}"></iframe>`,
    );
    const page = await harness.browser.newPage();
    const refused = page.waitForEvent(
      "console",
      (message) => /frame-ancestors/.test(message.text()),
    );
    await page.goto(site.origin);
    await refused;
    assert.equal(await page.frameLocator("iframe").locator("b").count(), 0);
    await page.close();
  });

  it("can be read by the script to copy where its origin is listed, and nowhere else", async () => {
    const embed = await makeEmbed(harness.ada);
    const [script] = await codeOf(embed, "js");
    await using listed = new OtherSite("");
    await using other = new OtherSite("");
    await changeEmbed(harness.ada, embed, { origins: listed.origin, readers: "listed" });
    const read = `(async () => { ${script}; return users; })()`;
    const page = await visit(listed);
    assert.equal(typeof await page.evaluate(read), "number");
    await page.goto(other.origin);
    await assert.rejects(page.evaluate(read), /Failed to fetch/);
    await page.close();
  });

  it.inLongRun("has a badge whose text fits it in any font, and that keeps its style when opened", async () => {
    const embed = await makeEmbed(harness.ada);
    await changeEmbed(harness.ada, embed, { label: "WWWWW iiiii & 在线" });
    const page = await harness.browser.newPage();
    await page.goto(harness.server.origin + embed.svg);
    for (const font of ["serif", "monospace", "DejaVu Sans"]) {
      const { ends, width, ground } = await page.evaluate((font) => {
        document.querySelector("g")?.setAttribute("font-family", font);
        const ends = [...document.querySelectorAll("text")].map((text) => {
          const { x, width } = text.getBBox();
          return x + width;
        });
        const svg = document.documentElement;
        const ground = getComputedStyle(document.querySelector("rect")!).fill;
        return { ends, width: Number(svg.getAttribute("width")), ground };
      }, font);
      assert.ok(Math.abs(width - 12 - ends[1]) <= 1.5, `${font}: ${ends[1]} in ${width}`);
      assert.equal(ground, "rgb(255, 255, 255)");
    }
    await page.close();
  });
});
