import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { EmbedAnswer } from "@/server/embed/embed_answer.ts";
import type { EmbedCount } from "@/server/embed/badge.ts";
import type { Embed } from "@/server/embed/embed_links.ts";
import type { EmbedFormat } from "@/shared/wallboard.ts";

const embed: Embed = {
  id: "x",
  name: "Status page",
  label: "online",
  origins: [],
  readers: "none",
  createdAt: 0,
  createdBy: "ada",
  lastUsedAt: null,
};

function answerOf(
  change: Partial<Embed>,
  format: EmbedFormat,
  { users = 25, expected, staleSince, headers = {}, query = "", method = "GET" }:
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
    expected,
    staleSince,
  });
}

describe("the answer of an embed", () => {
  it("is the number alone as JSON", async () => {
    const response = answerOf({}, "json");
    assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8");
    assert.deepEqual(await response.json(), { users: 25 });
  });

  it("is kept for ten seconds by browsers and proxies, and empty while it is the same", async () => {
    for (const format of ["json", "svg", "page"] as const) {
      const shown = new EmbedAnswer(embed);
      const request = (headers = {}) => new Request("http://localhost/", { headers });
      const first = shown.answer(request(), format, { users: 25 });
      assert.equal(first.headers.get("cache-control"), "public, max-age=10");
      const etag = first.headers.get("etag") ?? "";
      const same = shown.answer(request({ "if-none-match": etag }), format, { users: 25 });
      assert.deepEqual([same.status, await same.text()], [304, ""]);
      assert.equal(same.headers.get("etag"), etag);
      const other = shown.answer(request({ "if-none-match": etag }), format, { users: 26 });
      assert.equal(other.status, 200);
      assert.match(await other.text(), /26/);
    }
  });

  it("says in each format that the number is recovering, until it can be believed", async () => {
    const recovering = { users: 1_011, expected: 1_056 };
    assert.deepEqual(await answerOf({}, "json", recovering).json(), {
      ...recovering,
      recovering: true,
    });
    const page = await answerOf({}, "page", recovering).text();
    assert.match(page, /<h1 data-recovering[^>]*>.*<b>1,011<\/b> .*>of about 1,056 online</);
    const shown = new EmbedAnswer(embed);
    const text = async (count: EmbedCount) =>
      await shown.answer(new Request("http://localhost/"), "svg", count).text();
    assert.match(await text(recovering), /class="recovering".*of about 1,056 online, recovering/);
    assert.doesNotMatch(await text({ users: 1_011 }), /class="recovering"|of about/);
  });

  it("says in each format since when the number stands still", async () => {
    const standing = {
      users: 11,
      expected: 56,
      staleSince: Date.parse("2026-01-01T10:02:11Z"),
    };
    assert.deepEqual(await answerOf({}, "json", standing).json(), {
      users: 11,
      standing_still: true,
      since: "2026-01-01T10:02:11.000Z",
    });
    const page = await answerOf({}, "page", standing).text();
    assert.match(page, /<h1 data-standing title="Numbers stand still since 10:02:11 UTC"/);
    assert.match(page, /<b>11<\/b> .*>online at 10:02 UTC</);
    const shown = new EmbedAnswer(embed);
    const text = async (count: EmbedCount) =>
      await shown.answer(new Request("http://localhost/"), "svg", count).text();
    assert.match(
      await text(standing),
      /class="standing".*online at 10:02 UTC, numbers stand still since 10:02:11 UTC/,
    );
    assert.doesNotMatch(await text({ users: 11 }), /class="standing"|stand still/);
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
    assert.deepEqual(from("listed", "https://example.com", "svg")[0], "https://example.com");
    assert.deepEqual(from("listed", "https://example.net"), [null, "Origin"]);
    assert.deepEqual(from("any", "https://example.net"), ["*", null]);
    assert.deepEqual(from("any", "https://example.net", "page"), [null, null]);
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
