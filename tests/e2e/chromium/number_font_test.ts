import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { fontsOf, seesLive } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { makeEmbed, makeLink } from "../../fixtures/admin_forms.ts";

describe("the large number", () => {
  const harness = BrowserHarness.ofGroup();

  /** A page's path, and the selector of its number. */
  const pages: Record<string, () => Promise<[path: string, number: string]>> = {
    "the live view": () => Promise.resolve(["/admin/online", ".online-number"]),
    "Home": () => Promise.resolve(["/", "main .users-count-number"]),
    "a wallboard": async () => [(await makeLink(harness.ada)).path, ".wallboard-number"],
    "an embed": async () => [(await makeEmbed(harness.ada)).page, "b"],
  };

  for (const [name, find] of Object.entries(pages)) {
    it(`of ${name} is in the font that Rollcall brings, without a request`, async () => {
      await using person = await harness.meet(harness.ada);
      const [path, number] = await find();
      const page = await person.open(path);
      await page.locator(number).waitFor();
      assert.deepEqual(await fontsOf(page, number), ["Inter"]);
      const loaded = await page.evaluate(() => ({
        fonts: [...document.fonts].map(({ family, status }) => `${family} ${status}`),
        requests: performance.getEntriesByType("resource")
          .filter(({ name }) => /font|woff/.test(name)).length,
      }));
      assert.deepEqual(loaded, { fonts: ["Number loaded"], requests: 0 });
      assert.deepEqual(person.consoleErrors, []);
    });
  }

  it("of a reader of another language is in it with its separators", async () => {
    await using person = await harness.meet(harness.ada);
    const page = await person.open("/admin/online");
    await seesLive(page, 1);
    for (const text of ["12,345", "12.345", "12\u202f345", "12\u00a0345", "12’345", "–"]) {
      await page.locator(".online-number").evaluate((number, text) => {
        number.textContent = text;
        // The fonts are those of the last layout.
        number.getBoundingClientRect();
      }, text);
      assert.deepEqual(await fontsOf(page, ".online-number"), ["Inter"], text);
    }
  });
});
