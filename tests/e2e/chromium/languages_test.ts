import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { languageScript } from "@/deploy/build/language_scripts.ts";
import { makeLink } from "../../fixtures/admin_forms.ts";
import { type Person, seesLive, seesStatus } from "../../fixtures/browser.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { fromRightTag, pseudoCatalogue, pseudoTag } from "../../fixtures/pseudo_language.ts";
import { catalogues } from "@/server/language/languages.ts";

const program = "tests/fixtures/app_in_pseudo_language.ts";

/** Names that are in no language: of the program, of people, of what strangers chose. */
const names =
  /Rollcall(?: [\d.]+ \(\w+\))?|(?:Ctrl|⌘) ?K|Ada|Ben|Cleo|[\w.]+@[\w.]+|UTC|\b[AP]M\b/g;

describe("a page in another language", () => {
  const harness = BrowserHarness.ofGroup({}, { role: "user", program });

  /** A person whose browser asks for a language, with the texts of its scripts. */
  async function meet(tag: string, visitor = harness.ben): Promise<Person> {
    const person = await harness.meet(visitor, { locale: tag });
    const script = await languageScript(tag, pseudoCatalogue(tag));
    await person.context.route(
      `**/languages/${tag}.js*`,
      (route) => route.fulfill({ contentType: "text/javascript; charset=utf-8", body: script }),
    );
    return person;
  }

  it("has all texts of people who are counted in it, with the live number", async () => {
    for (const visitor of [harness.ben, harness.ada]) {
      await using person = await meet(pseudoTag, visitor);
      const page = await person.open("/");
      await seesLive(page, 1);
      assert.deepEqual(await textsOutside(page), [], "these are in English");
      assert.equal(await page.locator("html").getAttribute("lang"), pseudoTag);
      await person.context.setOffline(true);
      await seesStatus(page, "offline");
      assert.deepEqual(await textsOutside(page), [], "these are in English while offline");
    }
  });

  it("has all texts of strangers in it", async () => {
    await using person = await harness.meet(undefined, { locale: pseudoTag });
    person.expectsConsoleErrors = true;
    const page = await person.context.newPage();
    const paths = [
      "/sign-in",
      "/sign-in/forgot",
      "/setup?token=wrong",
      "/invite/wrong",
      "/reset-password/wrong",
      "/wallboard/wrong",
      "/nowhere",
    ];
    for (const path of paths) {
      await page.goto(path);
      assert.deepEqual(await textsOutside(page), [], `these are in English at ${path}`);
    }
    await page.goto("/sign-in");
    await page.fill("#email", "ben@example.com");
    await page.fill("#password", "a wrong password");
    await page.click("main [type=submit]");
    await page.locator(".notice-error").waitFor();
    assert.deepEqual(await textsOutside(page), [], "these are in English after a wrong password");
  });

  it("is a wallboard or an embed in the language of its address, whatever the browser prefers", async () => {
    const { path } = await makeLink(harness.ada);
    await using person = await meet(pseudoTag);
    const page = await person.context.newPage();
    await page.goto(`${path}?lang=${pseudoTag}`);
    await seesStatus(page, "live");
    assert.deepEqual(await textsOutside(page), [], "these are in English");
    await page.goto(`${path}?lang=de`);
    await seesStatus(page, "live");
    assert.match(await page.locator(".wallboard-foot").innerText(), /Tab/);
    await page.goto(`${path}?lang=en`);
    await seesStatus(page, "live");
    assert.match(await page.locator(".wallboard-foot").innerText(), /tab/);
  });

  it("is in English as a whole where one of its texts has no translation yet", async () => {
    await using person = await meet(pseudoTag, harness.ada);
    const page = await person.open("/admin/settings/team");
    await seesLive(page, 1);
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
    assert.doesNotMatch(await page.locator("body").innerText(), /\[/);
  });

  it("has room for each name in the navigation of a phone", async () => {
    for (const locale of Object.keys(catalogues)) {
      await using person = await harness.meet(harness.ada, {
        locale,
        viewport: { width: 390, height: 700 },
      });
      const page = await person.open("/");
      const cut = await page.locator("nav li a").evaluateAll((links) =>
        links.filter((link) => link.scrollWidth > link.clientWidth).map((link) => link.textContent)
      );
      assert.deepEqual(cut, [], locale);
    }
  });

  it("is laid out from the right where its script is", async () => {
    await using person = await meet(fromRightTag);
    const page = await person.open("/");
    await seesLive(page, 1);
    assert.equal(await page.locator("html").getAttribute("dir"), "rtl");
    const [brand, account] = await Promise.all(
      [".brand", ".account"].map((part) => page.locator(part).first().boundingBox()),
    );
    assert.ok(brand!.x > account!.x, "the name of the app is on the right");
    const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(width <= 0, `${width} px are beside the window`);
  });
});

/** The texts of a page that are not, or not wholly, from a catalogue. */
async function textsOutside(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const attributes = ["title", "aria-label", "placeholder", "alt"];
    const found = [...document.querySelectorAll("*")].flatMap((element) =>
      attributes.map((name) => element.getAttribute(name) ?? "")
    );
    for (const element of document.querySelectorAll("*")) {
      if (element.closest("script, style, noscript, code, .initials")) continue;
      // Islands put empty texts around what they draw.
      const hasText = [...element.childNodes].some((node) =>
        node.nodeType === Node.TEXT_NODE && node.textContent?.trim()
      );
      if (!hasText) continue;
      const copy = element.cloneNode(true) as Element;
      copy.querySelectorAll("script, style, noscript, code").forEach((each) => each.remove());
      found.push(copy.textContent ?? "");
    }
    for (const { textContent } of document.querySelectorAll("noscript")) {
      found.push(textContent!.replaceAll(/<[^>]*>/g, ""));
    }
    return found;
  });
  return texts.filter((text) => /\p{L}/u.test(withoutCatalogued(text).replaceAll(names, "")));
}

/** A text without what is in brackets, which can be in others. */
function withoutCatalogued(text: string): string {
  const rest = text.replaceAll(/\[[^[\]]*\]/g, "");
  return rest === text ? rest : withoutCatalogued(rest);
}
