import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import type { Page } from "playwright-core";
import { Secret, TOTP } from "otpauth";
import { languageScript } from "@/deploy/build/language_scripts.ts";
import { makeLink, makeMark } from "../../fixtures/admin_forms.ts";
import { type Person, seesLive, seesStatus, withAuthenticator } from "../../fixtures/browser.ts";
import { until } from "../../fixtures/eventually.ts";
import { BrowserHarness } from "../../fixtures/browser_harness.ts";
import { recordDays } from "../../fixtures/database_contents.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { fromRightTag, pseudoCatalogue, pseudoTag } from "../../fixtures/pseudo_language.ts";
import { addSignedIn, password } from "../../fixtures/signed_in.ts";
import { dateAfter, dateAt } from "@/server/history/day_summary.ts";
import { channelPath } from "@/shared/channel_list.ts";
import { catalogues } from "@/server/language/languages.ts";

const appId = "4711";
const zoe = { name: "Zoe", email: "zoe@example.com", password };
const program = "tests/fixtures/app_in_pseudo_language.ts";

/** What admins read that is in no language: services, channels, settings, addresses, versions. */
const ofNoLanguage =
  /^(?:API|[\w./-]+\.\w+|Laravel|Next\.js|Express|React|Echo|PHP|Node|OK|DNS|WebSocket|(?:GET|POST) \/\S+|Slack|Discord|Microsoft Teams|Mattermost|Google Chat|Telegram|ntfy|Gotify|URL|Your app|presence-chart|[0-9a-f]{32}|[\d,]+ MB|[\d.]+ \(\w+\)|https?:\S+|\/\S+|\.env)$/;

/** Names that are in no language: of the program, of people, of what strangers chose; and of languages, in their own. */
const names = new RegExp(
  [
    /Rollcall(?: [\d.]+ \(\w+\))?|(?:Ctrl|⌘) ?K|Ada|Ben|Cleo|Lobby|Zoe|[\w.]+@(?:[\w.]+)?|example\.|\bcom\b|UTC|\b[AP]M\b/u,
    // Times: no browser knows the language of the tests.
    /\d{4} M\d\d|M\d\d \d+ [\d:]+|(?:\d+ )?\p{L}+\.? (?:\d+, )?\d{4}, [\d:]+/u,
    /\((?:count|ids|names|messages|marks)\)|\b[\w./-]+\.(?:jsx?|mjs|html|php|vue|svelte|rb|py|go)\b|\.env\b|\b(?:API|GET|POST|PHP|Node)\b/u,
    /(?:Rollcall )?[\d.]+ \(\w+\)|\bMB\b|(?<![\p{L}\d])\/[\w/]+|\p{L}{3} \d+(?:, [\d:]+)?|English|Deutsch|Français|Español|Qps|עברית|https?:\S+/u,
    // Of channels and events, weekdays in the time zone of the server, and calls of the API.
    /(?:presence|private)-[\w.-]+|pusher_internal:\w+|order\.paid|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b|Deployed|Deploys|\bmarks\b|POST/u,
  ].map(({ source }) => source).join("|"),
  "gu",
);

describe("a page in another language", () => {
  const harness = BrowserHarness.ofGroup({ PUSHER_APP_ID: appId }, { role: "user", program });

  /** A person whose browser asks for a language, with the texts of its scripts. */
  async function meet(tag: string, visitor?: HttpVisitor, locale = tag): Promise<Person> {
    const person = await harness.meet(visitor, { locale });
    const script = await languageScript(tag, pseudoCatalogue(tag));
    await person.context.route(
      `**/languages/${tag}*.js*`,
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

  /** A viewer with limits, who has chosen the language of the tests, and has signed in twice. */
  async function addZoe(): Promise<HttpVisitor> {
    const limits = [{ app: appId, channel: "presence-chart" }, { app: appId, channel: null }];
    const account = { ...zoe, role: "viewer" as const, limits };
    const [visitor] = await addSignedIn(harness.server, [account]);
    await visitor.get("/account");
    await visitor.submit("/account/language", { language: pseudoTag });
    await new HttpVisitor(harness.server.origin).signIn(zoe);
    return visitor;
  }

  it("has all texts of one's own account in it, whatever the browser prefers", async () => {
    await using person = await meet(pseudoTag, await addZoe(), "fr");
    await using elsewhere = await meet(pseudoTag, undefined, "en");
    await elsewhere.signIn(zoe, "/");
    await seesLive(elsewhere.page, 1);
    const page = await person.open("/account");
    await seesLive(page, 1);
    assert.equal(await page.locator("#sessions li").count(), 3);
    person.expectsConsoleErrors = true;
    const isTranslated = async (state: string) =>
      assert.deepEqual(await textsOutside(page), [], `these are in English ${state}`);
    await isTranslated("with several sessions");
    for (const done of ["name", "language", "password", "ended", "others", "second-factor"]) {
      await page.goto(`/account?done=${done}`);
      assert.ok(await page.locator(".notice-success").innerText());
      await isTranslated(`after ${done}`);
    }
    await page.fill("#current", "not the password");
    await page.fill("#password", "another good password");
    await page.click("#password-card [type=submit]");
    await page.locator(".notice-error").waitFor();
    await isTranslated("with a wrong password");
    // Without script, the question is a page.
    await seesLive(page, 1);
    await page.fill("#confirm-password", "not the password");
    await page.click("#delete-account [type=submit]");
    await page.locator("dialog[open]").waitFor();
    await isTranslated("with a question");
  });

  it("has all texts of one's own second factor in it", async () => {
    await using person = await meet(pseudoTag, harness.cleo);
    const page = await person.open("/account/second-factor");
    await withAuthenticator(page);
    const isTranslated = async (state: string) =>
      assert.deepEqual(await textsOutside(page), [], `these are in English ${state}`);
    await isTranslated("before one is set up");
    const secret = await page.locator(".code-secret").textContent();
    const codes = new TOTP({ secret: Secret.fromBase32(secret!.replaceAll(" ", "")) });
    await page.fill("#code", codes.generate());
    await page.fill("#code-password", password);
    await page.click("#code-setup [type=submit]");
    await page.locator("#recovery-codes").waitFor();
    await isTranslated("with recovery codes");
    await page.goto("/account/second-factor");
    await page.fill("#passkey-name", "Zoe");
    await page.fill("#passkey-password", password);
    await page.click("#passkeys button[type=button].button");
    await page.locator("#second-factor .facts").waitFor();
    await isTranslated("with a passkey that was just added");
    await page.goto("/account/second-factor");
    await isTranslated("with codes and a passkey");
  });

  it("has all texts of the live view in it, with a person beside the list and the person's own page", async () => {
    await using _ben = await harness.meet(harness.ben);
    await _ben.open("/");
    await using person = await meet(pseudoTag, harness.ada);
    const page = await person.open("/admin/online");
    await seesLive(page, 2);
    const isTranslated = async (state: string) =>
      assert.deepEqual(await textsOutside(page), [], `these are in English ${state}`);
    await isTranslated("with people online");
    const ben = page.locator("tr[data-id] a[href]", { hasText: "Ben" });
    await ben.click();
    await page.locator(".person-panel #activity").waitFor();
    await isTranslated("with a person beside the list");
    await page.locator(".person-panel > .card-head button").click();
    await page.fill("#online-table-search", "no such name");
    await page.locator(".online-table-list .empty").waitFor();
    await isTranslated("without a hit");
    await page.fill("#online-table-search", "");
    await page.goto(`${await ben.getAttribute("href")}`);
    await page.locator("#visits, #activity").first().waitFor();
    await isTranslated("on the page of a person");
    await page.click("#disconnect [type=submit]");
    await page.locator("dialog[open]").waitFor();
    await isTranslated("with a question");
  });

  it("has all texts of what connects an app in it, in the live view and on its page", async () => {
    await using person = await meet(pseudoTag, harness.ada);
    const page = await person.open("/admin/online");
    const panel = page.locator("#connect");
    // Others who just left are still in the list, in place of which the panel is.
    await until(async () => {
      await page.reload();
      await seesLive(page, 1);
      return await panel.count() === 1;
    }, "no one else is online");
    const stranger = new WebSocket(
      `${harness.server.origin.replace(/^http/, "ws")}/app/unknown-key?protocol=7`,
    );
    await panel.locator(".notice-warning").waitFor();
    stranger.close();
    const isTranslated = async (state: string) => {
      const texts = (await textsOutside(page)).filter((text) => !ofNoLanguage.test(text));
      assert.deepEqual(texts, [], `these are in English ${state}`);
    };
    await isTranslated("in the live view");
    await page.goto("/admin/settings/connect?done=added");
    await seesLive(page, 1);
    await isTranslated("on the page");
    await page.locator("#further-guides > summary").click();
    await page.locator("#guide-vue > summary").click();
    await page.locator("#guide-vue figcaption button").first().click();
    await page.locator("#guide-vue .copy-result:not(:empty)").waitFor();
    await isTranslated("with all guides, one of which is copied");
  });

  it("is the one that its reader chooses, at once and with the texts of scripts", async () => {
    await using person = await harness.meet(harness.cleo, { locale: "en" });
    const page = await person.open("/account");
    await seesLive(page, 1);
    await page.getByLabel("Language").selectOption({ label: "Deutsch" });
    await page.getByRole("button", { name: "Save language" }).click();
    await page.getByText("Sprache gespeichert.").waitFor();
    await seesLive(page, 1);
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
    await person.context.setOffline(true);
    await seesStatus(page, "offline");
    await page.getByText("Sie sind offline").first().waitFor();
  });

  it("is a wallboard or an embed in the language of its address, whatever the browser prefers", async () => {
    const { path } = await makeLink(harness.ada);
    await using person = await meet(pseudoTag, harness.ben);
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

  it("has all texts of admins in it, on the pages of the settings", async () => {
    await using person = await meet(pseudoTag, harness.ada);
    const page = await person.context.newPage();
    await harness.ada.submit("/admin/settings/check", {});
    const paths = [
      "/admin/messages?done=sent",
      "/admin/settings/api?done=revoked",
      "/admin/settings/check",
      "/admin/settings/team",
      "/admin/settings/alerts",
      "/admin/settings/alerts/receivers?kind=telegram",
      ...["threshold", "fall", "usual", "empty", "record", "person", "server"].map((kind) =>
        `/admin/settings/alerts/rules?kind=${kind}`
      ),
      "/admin/settings/displays",
      "/admin/settings/server",
      "/admin/settings/sites",
      "/admin/find?q=e",
    ];
    assert.deepEqual(await inEnglishAt(page, paths), {});
  });

  it("has all texts of the activity in it, of admins' actions and of the numbers of days", async () => {
    await using person = await meet(pseudoTag, harness.ada);
    const page = await person.context.newPage();
    // Pages that say why they are refused.
    person.expectsConsoleErrors = true;
    const isTranslated = async (paths: string[]) =>
      assert.deepEqual(await inEnglishAt(page, paths), {}, "these are in English");
    await isTranslated(["/admin/activity/numbers"]);
    await makeMark(harness.ada);
    const today = dateAt(Date.now(), "UTC");
    await recordDays(harness.server, "UTC", {
      [dateAfter(today, -3)]: 12,
      [dateAfter(today, -2)]: null,
      [dateAfter(today, -1)]: 1_200,
    });
    await isTranslated([
      "/admin/activity",
      "/admin/activity?who=ada",
      "/admin/activity?who=no-one",
      "/admin/activity?kind=guest",
      "/admin/activity?kind=none",
      "/admin/activity?channel=none",
      "/admin/activity/admins",
      "/admin/activity/admins?action=mark_removed",
      "/admin/activity/numbers",
      "/admin/activity/numbers?range=year&done=removed",
    ]);
    await page.locator("#events form button").click();
    await page.locator("dialog[open]").waitFor();
    assert.deepEqual(await textsOutside(page), [], "these are in English with a question");
    await page.goto("/admin/activity/numbers");
    await page.locator("#days table").waitFor();
    await using user = await meet(pseudoTag, harness.ben);
    user.expectsConsoleErrors = true;
    const refused = await user.context.newPage();
    await refused.goto("/admin/activity");
    assert.deepEqual(await textsOutside(refused), [], "these are in English for other users");
  });

  it("has all texts of the channels in it, and of what passes by in one", async () => {
    await using person = await meet(pseudoTag, harness.ada);
    const page = await person.context.newPage();
    // Pages that say why they are refused.
    person.expectsConsoleErrors = true;
    const pathOf = (name: string, more = {}) => channelPath({ appId, name }, more);
    assert.deepEqual(
      await inEnglishAt(page, [
        "/admin/channels",
        "/admin/channels?q=presence-none",
        "/admin/channels?kind=encrypted",
        pathOf("private-encrypted-none"),
        pathOf("presence-none"),
        `${pathOf("presence-none")}&done=sent`,
        pathOf("not a name"),
        pathOf("presence-chart", { q: "no such name" }),
        pathOf("presence-chart", { joins: "yes" }),
      ]),
      {},
    );
    await page.goto(pathOf("presence-chart"));
    await page.locator("#events .status-live").waitFor();
    const isTranslated = async (state: string) =>
      assert.deepEqual(await textsInEnglish(page), [], `these are in English ${state}`);
    await isTranslated("while it is followed");
    await page.fill("#test-event", "pusher:error");
    await page.click("#test-event-card [type=submit]");
    await page.locator("dialog[open] button").first().waitFor();
    await isTranslated("with a question");
    await page.click("dialog[open] [value=yes]");
    await page.locator("[data-outcome]", { hasText: /\[/ }).waitFor();
    await isTranslated("with an event that is refused");
    await page.fill("#test-event", "order.paid");
    await page.click("#test-event-card [type=submit]");
    await page.click("dialog[open] [value=yes]");
    await page.locator(".events-name", { hasText: "order.paid" }).waitFor();
    await page.locator(".events-table [type=submit]").first().click();
    await page.locator(".events-open pre").waitFor();
    await isTranslated("with an event whose data is open");
    await page.fill("#events-filter", "no such event");
    await page.click("#events .search button");
    await page.locator("#events .empty").waitFor();
    await isTranslated("without an event that matches");
  });

  it("is in English as a whole where it has no translation", async () => {
    await using person = await meet(pseudoTag, harness.ada);
    const page = await person.open("/docs");
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

  it("has room on a phone for the activity and the channels", async () => {
    const beside: Record<string, number> = {};
    for (const locale of Object.keys(catalogues)) {
      await using person = await harness.meet(harness.ada, {
        locale,
        viewport: { width: 390, height: 800 },
      });
      const page = await person.context.newPage();
      for (
        const path of [
          "/admin/activity?kind=user",
          "/admin/activity/admins?action=user_added",
          "/admin/activity/numbers",
          "/admin/channels",
          channelPath({ appId, name: "presence-chart" }),
        ]
      ) {
        await page.goto(path);
        assert.equal(await page.locator("html").getAttribute("lang"), locale);
        const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (width > 0) beside[`${locale} ${path}`] = width;
      }
    }
    assert.deepEqual(beside, {}, "these have as many px beside the window");
  });

  it("is laid out from the right where its script is", async () => {
    await using person = await meet(fromRightTag, harness.ben);
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

/** The texts of pages that are not in the language of the tests, by the path of the page. */
async function inEnglishAt(page: Page, paths: string[]): Promise<Record<string, string[]>> {
  const inEnglish: Record<string, string[]> = {};
  for (const path of paths) {
    await page.goto(path);
    await seesLive(page, 1);
    const texts = await textsInEnglish(page);
    if (texts.length > 0) inEnglish[path] = texts;
  }
  return inEnglish;
}

/** The texts of an admin's page that are in English: from no catalogue, and of a language. */
async function textsInEnglish(page: Page): Promise<string[]> {
  return (await textsOutside(page)).filter((text) => !ofNoLanguage.test(text));
}

/** The texts of a page that are not, or not wholly, from a catalogue. */
async function textsOutside(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const attributes = ["title", "aria-label", "placeholder", "alt"];
    const found = [...document.querySelectorAll("*")].flatMap((element) =>
      attributes.map((name) => element.getAttribute(name) ?? "")
    );
    for (const element of document.querySelectorAll("*")) {
      if (element.closest("script, style, noscript, code, .initials, body [lang=en]")) continue;
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
