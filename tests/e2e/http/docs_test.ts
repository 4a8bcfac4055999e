import { strict as assert } from "node:assert";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { movedDocs } from "@/http/moved_docs.ts";
import { HttpVisitor, rawAnswer } from "../../fixtures/http_visitor.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

describe("the documentation", () => {
  let server: Rollcall;
  let visitor: HttpVisitor;

  beforeAll(async () => {
    server = await Rollcall.start();
    visitor = new HttpVisitor(server.origin);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const ask = (path: string, headers: Record<string, string> = {}, method?: string) =>
    rawAnswer(server.origin + path, headers, method);

  it("is for everyone, and for no search engine", async () => {
    const { status, headers } = await ask("/docs/settings");
    assert.equal(status, 200);
    assert.equal(headers["x-robots-tag"], "noindex");
    assert.match(String(headers["content-security-policy"]), /script-src 'self' 'nonce-/);
    assert.equal(headers["cache-control"], "no-store");
    const { text } = await visitor.get("/docs/settings");
    assert.match(text, /<title>Settings · Rollcall<\/title>/);
    const german = await visitor.get("/docs/settings", { "accept-language": "de" });
    assert.match(german.text, /<div lang="en" dir="ltr" class="stack docs">/);
    assert.match(text, /<a id="app_url">/);
    assert.match(text, /href="\/docs\/settings" aria-current="page"/);
    assert.match(text, /<a rel="next" href="\/docs\/limits">/);
  });

  it("lists its pages, each of which there is", async () => {
    const { text } = await visitor.get("/docs");
    const paths = new Set([...text.matchAll(/href="(\/docs\/[\w-]+)"/g)].map(([, path]) => path));
    assert.ok(paths.size > 30, String(paths.size));
    for (const path of paths) {
      const { status, text } = await visitor.get(path);
      assert.equal(status, 200, path);
      assert.match(text, /<h1 id=/, path);
    }
  });

  it("has each page as Markdown, which unpacks to the same and is not sent again", async () => {
    const plain = await ask("/docs/settings.md");
    assert.equal(plain.status, 200);
    assert.equal(plain.headers["content-type"]?.toLowerCase(), "text/markdown; charset=utf-8");
    assert.match(new TextDecoder().decode(plain.body), /^# Settings\n/);
    for (const [coding, unpack] of [["br", brotliDecompressSync], ["gzip", gunzipSync]] as const) {
      const packed = await ask("/docs/settings.md", { "accept-encoding": coding });
      assert.equal(packed.headers["content-encoding"], coding);
      assert.deepEqual(new Uint8Array(unpack(packed.body)), plain.body);
    }
    const again = await ask("/docs/settings.md", { "if-none-match": plain.headers.etag! });
    assert.equal(again.status, 304);
    assert.equal(again.body.length, 0);
  });

  it("has a list for programs, also where they look for it", async () => {
    const { status, headers, body } = await ask("/docs/llms.txt");
    assert.equal(status, 200);
    assert.match(headers["content-type"]!, /^text\/plain/);
    const text = new TextDecoder().decode(body);
    assert.match(text, /^# Rollcall\n/);
    assert.ok(!text.includes(server.origin));
    for (const [, file] of text.matchAll(/\]\(([\w-]+\.md)\)/g)) {
      assert.equal((await ask(`/docs/${file}`, {}, "HEAD")).status, 200, file);
    }
    const moved = await ask("/llms.txt");
    assert.equal(moved.status, 308);
    assert.equal(moved.headers.location, "/docs/llms.txt");
  });

  it("leads from the address that a page had to where it is now", async () => {
    for (const [name, target] of movedDocs) {
      const { status, headers } = await ask(`/docs/${name}`);
      assert.deepEqual([status, headers.location], [308, target], name);
    }
  });

  it("has the pictures and files that its pages show", async () => {
    const { text } = await visitor.get("/docs/dashboard");
    const [, picture] = text.match(/<img src="(files\/[^"]+\.png)"/)!;
    const { status, headers } = await ask(`/docs/${picture}`);
    assert.equal(status, 200);
    assert.equal(headers["content-type"], "image/png");
    assert.equal((await ask("/docs/files/nginx.conf")).status, 200);
  });

  it("answers HEAD as GET, without a body", async () => {
    for (const path of ["/docs", "/docs/settings", "/docs/search?q=proxy", "/docs/settings.md"]) {
      const head = await ask(path, {}, "HEAD");
      assert.equal(head.status, 200, path);
      assert.equal(head.body.length, 0, path);
    }
  });

  it("says that a page is missing, and takes nothing", async () => {
    for (
      const path of ["nothing", "nothing.md", "SETTINGS", "__proto__", "..%2Fsettings", "files/x"]
    ) {
      const { status, text } = await visitor.get(`/docs/${path}`);
      assert.equal(status, 404, path);
      assert.match(text, /Page not found/);
    }
    assert.ok((await ask("/docs/settings", {}, "POST")).status >= 400);
  });

  it("can be searched without script, by a query that is text", async () => {
    const { text } = await visitor.get("/docs/search?q=trusted_proxies+networks");
    assert.match(text, /<a href="\/docs\/[\w-]+(#[\w-]+)?"[^>]*>[^<]+<\/a><p class="soft">/);
    const strange = await visitor.get(`/docs/search?q=${encodeURIComponent("<script>zzz")}`);
    assert.equal(strange.status, 200);
    assert.match(strange.text, /Nothing has all of these words: &lt;script/);
    assert.equal((await visitor.get("/docs/search")).status, 200);
    const long = await visitor.get(`/docs/search?q=${"proxy+".repeat(1_000)}`);
    assert.equal(long.status, 200);
    assert.match(long.text, /\d+ results/);
  });
});
