import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { EmbedAnswer } from "@/server/embed/embed_answer.ts";
import { badge, type EmbedCount, type EmbedTheme, textWidth } from "@/server/embed/badge.ts";
import type { Embed } from "@/server/embed/embed_links.ts";
import type { EmbedFormat } from "@/shared/wallboard.ts";
import { readEmbedSettings } from "@/server/embed/embed_settings.ts";
import { pagePolicy } from "@/server/embed/embed_page.ts";
import { inLanguage, languages } from "@/server/language/languages.ts";

const embed: Embed = {
  id: "x",
  name: "Status page",
  label: "online",
  origins: [],
  readers: "none",
  activity: "none",
  createdAt: 0,
  createdBy: "ada",
  lastUsedAt: null,
};

/** A number that can be believed. */
function live(users: number): EmbedCount {
  return { users, freshness: { state: "live" } };
}

function answerOf(
  change: Partial<Embed>,
  format: EmbedFormat,
  {
    users = 25,
    guests,
    active,
    freshness = { state: "live" },
    headers = {},
    query = "",
    method = "GET",
  }:
    & Partial<EmbedCount>
    & {
      headers?: HeadersInit;
      query?: string;
      method?: string;
    } = {},
): Response {
  const request = new Request(`http://localhost/embed/x${query}`, { headers, method });
  return new EmbedAnswer({ ...embed, ...change }).answer(request, format, {
    users,
    guests,
    active,
    freshness,
  });
}

describe("the answer of an embed", () => {
  it("is the number alone as JSON", async () => {
    const response = answerOf({}, "json");
    assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8");
    assert.deepEqual(await response.json(), { users: 25 });
  });

  it("has the active users in JSON only where an admin wants that, and tabs report it", async () => {
    const json = async (change: Partial<Embed>, active: number | null | undefined) =>
      await answerOf(change, "json", { active }).json();
    const given = { activity: "json" } as const;
    assert.deepEqual(await json({}, 21), { users: 25 });
    assert.deepEqual(await json(given, 21), { users: 25, active: 21 });
    assert.deepEqual(await json(given, 0), { users: 25, active: 0 });
    assert.deepEqual(await json(given, null), { users: 25 });
    assert.deepEqual(await json(given, 30), { users: 25, active: 25 });
    for (const format of ["svg", "page"] as const) {
      assert.doesNotMatch(await answerOf(given, format, { active: 21 }).text(), /21|data-active>/);
    }
  });

  it("has the active users in badge and page too where an admin wants that", async () => {
    const text = async (format: EmbedFormat, count: Partial<EmbedCount>) =>
      await answerOf({ activity: "all" }, format, count).text();
    assert.deepEqual(JSON.parse(await text("json", { active: 21 })), { users: 25, active: 21 });
    assert.match(await text("svg", { active: 21 }), /<title>25 online, 21 active<\/title>/);
    assert.match(await text("page", { active: 21 }), / data-active>online, 21 active</);
    assert.match(await text("page", { active: null }), / data-active>online</);
    const recovering = { state: "recovering", expected: 56 } as const;
    assert.match(
      await text("svg", { active: 21, freshness: recovering }),
      /of about 56 online, 21 active, recovering/,
    );
    const stale = { state: "stale", since: Date.parse("2026-01-01T10:02:11Z") } as const;
    assert.match(
      await text("svg", { active: 21, freshness: stale }),
      /online, 21 active at 10:02 UTC/,
    );
  });

  it("tells users and guests apart where guests are among them", async () => {
    const text = async (format: EmbedFormat, guests?: number) =>
      await answerOf({}, format, { users: 235, guests }).text();
    assert.deepEqual(JSON.parse(await text("json", 204)), { users: 235, guests: 204 });
    const svg = await text("svg", 204);
    assert.match(svg, /<title>235 online \(31 users, 204 guests\)<\/title>/);
    assert.match(svg, /class="label"[^>]*>online<\/text>/);
    assert.match(await text("page", 204), /<\/h1><p>31 users, 204 guests<\/p>/);
    assert.match(await text("page", 1), /<p>234 users, 1 guest<\/p>/);
    assert.match(await text("page"), /<\/h1><p><\/p>/);
    assert.doesNotMatch(await text("svg") + await text("json"), /guest/);
  });

  it("is kept for ten seconds by browsers and proxies, and empty while it is the same", async () => {
    for (const format of ["json", "svg", "page"] as const) {
      const shown = new EmbedAnswer(embed);
      const request = (headers = {}) => new Request("http://localhost/", { headers });
      const first = shown.answer(request(), format, live(25));
      assert.equal(first.headers.get("cache-control"), "public, max-age=10");
      const etag = first.headers.get("etag") ?? "";
      const same = shown.answer(request({ "if-none-match": etag }), format, live(25));
      assert.deepEqual([same.status, await same.text()], [304, ""]);
      assert.equal(same.headers.get("etag"), etag);
      const other = shown.answer(request({ "if-none-match": etag }), format, live(26));
      assert.equal(other.status, 200);
      assert.match(await other.text(), /26/);
    }
  });

  it("says in each format that the number is recovering, until it can be believed", async () => {
    const recovering: EmbedCount = {
      users: 1_011,
      freshness: { state: "recovering", expected: 1_056 },
    };
    assert.deepEqual(await answerOf({}, "json", recovering).json(), {
      users: 1_011,
      recovering: true,
      expected: 1_056,
    });
    const page = await answerOf({}, "page", recovering).text();
    assert.match(page, /<h1 data-recovering[^>]*>.*<b>1,011<\/b> .*>of about 1,056 online</);
    const shown = new EmbedAnswer(embed);
    const text = async (count: EmbedCount) =>
      await shown.answer(new Request("http://localhost/"), "svg", count).text();
    assert.match(await text(recovering), /class="recovering".*of about 1,056 online, recovering/);
    assert.doesNotMatch(await text(live(1_011)), /class="recovering"|of about/);
  });

  it("says in each format since when the number is stale", async () => {
    const since = Date.parse("2026-01-01T10:02:11Z");
    const stale: EmbedCount = { users: 11, freshness: { state: "stale", since } };
    assert.deepEqual(await answerOf({}, "json", stale).json(), {
      users: 11,
      stale: true,
      standing_still: true,
      since: "2026-01-01T10:02:11.000Z",
    });
    const page = await answerOf({}, "page", stale).text();
    assert.match(page, /<h1 data-stale title="Not updating since 10:02:11 UTC"/);
    assert.match(page, /<b>11<\/b> .*>online at 10:02 UTC</);
    const shown = new EmbedAnswer(embed);
    const text = async (count: EmbedCount) =>
      await shown.answer(new Request("http://localhost/"), "svg", count).text();
    assert.match(
      await text(stale),
      /class="stale".*online at 10:02 UTC, not updating since 10:02:11 UTC/,
    );
    assert.doesNotMatch(await text(live(11)), /class="stale"|not updating/);
  });

  it("has no body for HEAD", async () => {
    const response = answerOf({}, "svg", { method: "HEAD" });
    assert.deepEqual([response.status, await response.text()], [200, ""]);
  });

  it("may be framed by the listed origins only, and only as a page", () => {
    const origins = ["https://example.com", "https://example.org"];
    const policy = (format: EmbedFormat, change: Partial<Embed> = {}) =>
      answerOf(change, format).headers.get("content-security-policy") ?? "";
    assert.match(
      policy("page", { origins }),
      /frame-ancestors https:\/\/example\.com https:\/\/example\.org$/,
    );
    assert.match(policy("page"), /frame-ancestors 'none'$/);
    assert.match(policy("svg", { origins }), /frame-ancestors 'none'$/);
    assert.doesNotMatch(policy("page") + policy("svg"), /unsafe/);
  });

  it("can be read by scripts of no other site, of the listed ones or of all", () => {
    const origins = ["https://example.com"];
    const from = (readers: Embed["readers"], origin: string, format: EmbedFormat = "json") => {
      const { headers } = answerOf({ origins, readers }, format, { headers: { origin } });
      return [headers.get("access-control-allow-origin"), headers.get("vary")];
    };
    assert.deepEqual(from("none", "https://example.com"), [null, null]);
    assert.deepEqual(from("listed", "https://example.com"), ["https://example.com", "Origin"]);
    assert.deepEqual(from("listed", "https://example.com", "svg"), [
      "https://example.com",
      "Accept-Language, Origin",
    ]);
    assert.deepEqual(from("listed", "https://example.net"), [null, "Origin"]);
    assert.deepEqual(from("any", "https://example.net"), ["*", null]);
    assert.deepEqual(from("any", "https://example.net", "page"), [null, "Accept-Language"]);
  });

  it("is in the language of the reader, with a label that no admin has changed", async () => {
    const french = (parts: Partial<Embed>, format: EmbedFormat) =>
      inLanguage(languages.get("fr"), () => answerOf(parts, format).text());
    assert.match(await french({}, "svg"), / en ligne</);
    assert.match(await french({ label: "players" }, "svg"), / players</);
    const page = await french({}, "page");
    assert.match(page, /<html lang="fr" dir="ltr">/);
    assert.match(page, />en ligne<\/span>/);
    assert.match(page, /Pas à jour/);
    assert.equal(await french({}, "json"), await answerOf({}, "json").text());
  });

  it("follows the theme of the address, and no other query", async () => {
    for (const format of ["svg", "page"] as const) {
      const text = async (query: string) => await answerOf({}, format, { query }).text();
      const auto = await text("");
      assert.equal(await text("?theme=<script>&label=x"), auto);
      assert.notEqual(await text("?theme=dark"), auto);
      assert.notEqual(await text("?theme=dark"), await text("?x=1&theme=light"));
    }
  });

  it("shows the label as text", async () => {
    const text = await answerOf({ label: `<img src=x>"` }, "page").text();
    assert.doesNotMatch(text, /<img/);
  });
});

const input = {
  name: "Status page",
  label: "online",
  origins: "",
  readers: "none",
  activity: "none",
} as const;

describe("the settings of an embed", () => {
  it("have origins separated by lines, spaces or commas, each once, without a slash", () => {
    const origins = "https://example.com\n http://127.0.0.1:8080, https://EXAMPLE.com/";
    const read = readEmbedSettings({ ...input, name: " Status page ", origins });
    assert.ok(read.ok);
    assert.deepEqual(read.settings, {
      ...input,
      origins: ["https://example.com", "http://127.0.0.1:8080"],
    });
  });

  const invalid: [field: keyof typeof input, value: string, message: RegExp][] = [
    ["name", " ", /Enter a name/],
    ["name", "x".repeat(101), /At most 100/],
    ["name", "a\u0000b", /control/],
    ["label", "", /Enter a label/],
    ["label", "x".repeat(41), /At most 40/],
    ["label", "on\u202eline", /control/],
    ["label", "on\uffffline", /control/],
    ["origins", "example.com", /example\.com is not an origin such as/],
    ["origins", "https://example.com/path", /is not an origin/],
    ["origins", "https://example.com?", /is not an origin/],
    ["origins", "https://ada@example.com", /is not an origin/],
    ["origins", "https://*.example.com", /is not an origin/],
    ["origins", "*", /is not an origin/],
    ["origins", "'self'", /is not an origin/],
    ["origins", "https://example.com;script-src", /is not an origin/],
    ["origins", "javascript:alert(1)", /is not an origin/],
    [
      "origins",
      Array.from({ length: 21 }, (_, at) => `https://${at}.example`).join(" "),
      /At most 20/,
    ],
    ["readers", "everyone", /Invalid/],
  ];
  for (const [field, value, message] of invalid) {
    it(`are refused with ${field} ${JSON.stringify(value).slice(0, 40)}`, () => {
      const read = readEmbedSettings({ ...input, [field]: value });
      assert.ok(!read.ok);
      assert.equal(read.field, field);
      assert.match(read.message, message);
    });
  }

  it("put nothing but origins into the page's policy", () => {
    const host = fc.string({ unit: fc.constantFrom(..."ab;,'\"* \t\n<>%.:/[]@-_ö") });
    fc.assert(
      fc.property(fc.array(host, { maxLength: 5 }), (hosts) => {
        const read = readEmbedSettings({
          ...input,
          origins: hosts.map((host) => `https://${host}`).join("\n"),
        });
        if (!read.ok) return;
        const policy = pagePolicy(read.settings.origins);
        assert.match(
          policy,
          /; frame-ancestors ('none'|https:\/\/[a-z0-9.:-]+( https:\/\/[a-z0-9.:-]+)*)$/,
        );
      }),
      { numRuns: 500 },
    );
  });
});

/** The number in an attribute of the first element of a class, or of the image. */
function lengthIn(svg: string, name: string, element = "<svg"): number {
  const tag = svg.slice(svg.indexOf(element)).split(">")[0];
  return Number(tag.match(` ${name}="([\\d.]+)"`)?.[1]);
}

describe("the badge of an embed", () => {
  it("says the count as text and as a title, with thousands separated", () => {
    const svg = badge({ ...live(12_345), label: "online" }, "auto");
    assert.match(svg, /role="img" aria-label="12,345 online"><title>12,345 online<\/title>/);
    assert.match(svg, /class="number"[^>]*>12,345<\/text>/);
    assert.match(svg, /class="label"[^>]*>online<\/text>/);
  });

  it("is exactly as wide as its texts, which keep their place in any font", () => {
    const label = fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" });
    fc.assert(fc.property(fc.nat(10_000_000), label, (users, label) => {
      const svg = badge({ ...live(users), label }, "auto");
      const [number, words] = ["number", "label"].map((name) => ({
        at: lengthIn(svg, "x", `<text class="${name}"`),
        width: lengthIn(svg, "textLength", `<text class="${name}"`),
      }));
      assert.equal(number.at, 28);
      assert.ok(Math.abs(words.at - (number.at + number.width + 5)) < 0.11);
      const spare = lengthIn(svg, "width") - (words.at + words.width + 12);
      assert.ok(spare >= 0 && spare <= 1, String(spare));
    }));
  });

  it("has the colors of a theme, or of both for the reader to prefer one", () => {
    const count = { ...live(1), label: "online" };
    const grounds = (theme: EmbedTheme) =>
      [...badge(count, theme).matchAll(/\.ground\{fill:(#\w+)/g)].map(([, color]) => color);
    assert.deepEqual(grounds("light"), ["#ffffff"]);
    assert.deepEqual(grounds("dark"), ["#181e1b"]);
    assert.deepEqual(grounds("auto"), ["#ffffff", "#181e1b"]);
    assert.match(badge(count, "auto"), /@media \(prefers-color-scheme:dark\)/);
  });

  it("shows whatever a label says as text", () => {
    const label = `</text><script>alert("1")</script>&'`;
    const svg = badge({ ...live(1), label }, "auto");
    assert.doesNotMatch(svg, /<script|&'/);
    assert.equal(
      svg.match(/</g)?.length,
      badge({ ...live(1), label: "x" }, "auto").match(/</g)?.length,
    );
  });
});

describe("the width of a text", () => {
  it("is that of DejaVu Sans", () => {
    assert.equal(textWidth("0", 1_000, "regular"), 636);
    assert.equal(textWidth("0", 1_000, "bold"), 696);
    assert.equal(textWidth("~", 1_000, "regular"), 838);
    assert.equal(textWidth("online", 10, "regular"), 30.51);
  });

  it("counts no marks on letters, and wide characters as wide", () => {
    assert.equal(textWidth("e\u0301", 10, "regular"), textWidth("e", 10, "regular"));
    assert.equal(textWidth("在线", 10, "regular"), 20);
    assert.equal(textWidth("🙂", 10, "regular"), 10);
    assert.equal(textWidth("é", 10, "regular"), 6.8);
  });
});
