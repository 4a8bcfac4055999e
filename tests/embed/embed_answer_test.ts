import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { EmbedAnswer } from "../../embed/embed_answer.ts";
import type { Embed } from "../../embed/embed_links.ts";
import type { EmbedFormat } from "../../shared/embed.ts";

const embed: Embed = {
  ...{ id: "x", name: "Status page", label: "online", origins: [], readers: "none" },
  ...{ createdAt: 0, createdBy: "ada", lastUsedAt: null },
};

function answerOf(
  change: Partial<Embed>,
  format: EmbedFormat,
  { users = 25, headers = {}, query = "", method = "GET" } = {},
): Response {
  const request = new Request(`http://localhost/embed/x${query}`, { headers, method });
  return new EmbedAnswer({ ...embed, ...change }).answer(request, format, users);
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
      const first = shown.answer(request(), format, 25);
      assert.equal(first.headers.get("cache-control"), "public, max-age=10");
      const etag = first.headers.get("etag") ?? "";
      const same = shown.answer(request({ "if-none-match": etag }), format, 25);
      assert.deepEqual([same.status, await same.text()], [304, ""]);
      assert.equal(same.headers.get("etag"), etag);
      const other = shown.answer(request({ "if-none-match": etag }), format, 26);
      assert.equal(other.status, 200);
      assert.match(await other.text(), /26/);
    }
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
