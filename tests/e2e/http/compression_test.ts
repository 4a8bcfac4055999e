import { strict as assert } from "node:assert";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { type HttpVisitor, rawAnswer } from "../../fixtures/http_visitor.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

describe("what is sent compressed", () => {
  let server: Rollcall;
  let admin: HttpVisitor;
  /** The addresses of a style sheet and of a script that the pages load. */
  let files: string[];

  beforeAll(async () => {
    server = await Rollcall.start();
    [admin] = await moveIn(server);
    const { text } = await admin.get("/admin/online");
    files = [
      text.match(/href="(\/pages\.css[^"]+)"/)![1],
      text.match(/from "(\/_fresh\/js\/[^"]+)"/)![1],
    ];
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** Asks as the admin's browser does. */
  function ask(path: string, headers: Record<string, string> = {}, method?: string) {
    const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return rawAnswer(server.origin + path, { cookie, ...headers }, method);
  }

  for (const [index, kind] of ["style sheets", "scripts"].entries()) {
    it(`${kind} come as brotli or gzip, as the client wants, and unpack to the file`, async () => {
      const plain = await ask(files[index]);
      assert.equal(plain.headers["content-encoding"], undefined);
      const br = await ask(files[index], { "accept-encoding": "gzip, deflate, br, zstd" });
      const gzip = await ask(files[index], { "accept-encoding": "br;q=0.1, gzip" });
      assert.equal(br.headers["content-encoding"], "br");
      assert.equal(gzip.headers["content-encoding"], "gzip");
      assert.deepEqual(new Uint8Array(brotliDecompressSync(br.body)), plain.body);
      assert.deepEqual(new Uint8Array(gunzipSync(gzip.body)), plain.body);
      assert.ok(br.body.length < gzip.body.length && gzip.body.length < plain.body.length);
      for (const { status, headers, body } of [plain, br, gzip]) {
        assert.equal(status, 200);
        assert.equal(headers["content-length"], String(body.length));
        assert.equal(headers["content-type"], plain.headers["content-type"]);
        assert.match(headers.vary!, /\bAccept-Encoding\b/);
        // A weak tag may belong to several codings (RFC 9110, section 8.8.1).
        assert.match(headers.etag!, /^W\//);
        assert.match(headers["cache-control"]!, /^public, max-age=31536000, immutable$/);
      }
    });
  }

  it("a file that the browser has is not sent again, whatever its coding", async () => {
    const { headers: { etag } } = await ask("/pages.css", { "accept-encoding": "br" });
    for (const coding of ["br", "gzip", "identity"]) {
      const again = await ask("/pages.css", { "accept-encoding": coding, "if-none-match": etag! });
      assert.equal(again.status, 304);
      assert.equal(again.body.length, 0);
      assert.equal(again.headers["content-encoding"], undefined);
      assert.match(again.headers.vary!, /\bAccept-Encoding\b/);
    }
  });

  it("HEAD says what GET would send", async () => {
    for (const path of [...files, "/admin/settings/server"]) {
      const get = await ask(path, { "accept-encoding": "gzip" });
      const head = await ask(path, { "accept-encoding": "gzip" }, "HEAD");
      assert.equal(head.body.length, 0);
      for (const name of ["content-encoding", "vary", "etag", "cache-control"]) {
        assert.equal(head.headers[name], get.headers[name], `${name} of ${path}`);
      }
    }
  });

  it("a range of a file is not supported, and gets the whole of it", async () => {
    const range = { range: "bytes=0-9", "accept-encoding": "gzip" };
    const { status, headers, body } = await ask(files[0], range);
    assert.equal(status, 200);
    assert.equal(headers["content-range"], undefined);
    assert.ok(gunzipSync(body).length > 1_000);
  });

  it("a file of another build, or with another method, is answered as without compression", async () => {
    const old = await ask("/pages.css?__frsh_c=0", { "accept-encoding": "br" });
    assert.equal(old.status, 307);
    const posted = await ask("/pages.css", { "accept-encoding": "br" }, "POST");
    assert.equal(posted.status, 405);
    for (const { headers } of [old, posted]) assert.equal(headers["content-encoding"], undefined);
  });

  it("a page comes as gzip, and is kept by no cache", async () => {
    const { headers, body } = await ask("/admin/online", { "accept-encoding": "gzip, br" });
    assert.equal(headers["content-encoding"], "gzip");
    assert.match(headers.vary!, /\bAccept-Encoding\b/);
    assert.equal(headers["cache-control"], "no-store");
    assert.match(gunzipSync(body).toString(), /^<!DOCTYPE html>/);
  });

  it("a page preloads scripts of this build, but not for a reader who is not counted", async () => {
    const preloaded = async (path: string, headers = {}) => {
      const { body } = await ask(path, headers);
      const html = new TextDecoder().decode(body);
      return [...html.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)].map(([, path]) =>
        path
      );
    };
    const scripts = await preloaded("/");
    assert.ok(scripts.length > 3, `${scripts}`);
    for (const path of scripts) {
      const { status, headers } = await ask(path, { "accept-encoding": "br" });
      assert.equal(status, 200);
      assert.match(headers["cache-control"]!, /immutable/);
    }
    assert.deepEqual(await preloaded("/sign-in", { cookie: "" }), []);
  });

  it("two answers of a page share no token, and each token is valid", async () => {
    const tokens = new Set<string>();
    for (let round = 0; round < 3; round++) {
      const { body } = await ask("/admin/settings/server", { "accept-encoding": "gzip" });
      const html = gunzipSync(body).toString();
      const inPage = [...html.matchAll(/(?:csrf-token" content|_token" value)="([^"]+)"/g)];
      assert.ok(inPage.length > 2);
      assert.equal(new Set(inPage.map(([, token]) => token)).size, 1, "one for the whole page");
      tokens.add(inPage[0][1]);
    }
    assert.equal(tokens.size, 3);
    for (const _token of tokens) {
      const answer = await admin.submit("/admin/online/counted", { _token, counted: "yes" });
      assert.equal(answer.status, 303);
    }
  });

  it("the secret of an app is in no page before it is asked for", async () => {
    const kept = await Deno.readTextFile(`${server.dataFolder}/secrets.json`);
    const secrets = [...kept.matchAll(/"\w*secret"\s*:\s*"([^"]+)"/gi)].map(([, value]) => value);
    assert.ok(secrets.length > 1);
    const { body } = await ask("/admin/settings/connect");
    const html = new TextDecoder().decode(body);
    for (const secret of secrets) assert.ok(!html.includes(secret));
  });
});
