import { strict as assert } from "node:assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { HttpVisitor, withoutScripts } from "../../fixtures/http_visitor.ts";
import { ada, moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { Wire } from "../../fuzz/wire.ts";

describe("what protects the pages", () => {
  let server: Rollcall;
  let admin: HttpVisitor;

  beforeAll(async () => {
    server = await Rollcall.start();
    [admin] = await moveIn(server);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  for (const path of ["/admin/online", "/sign-in", "/nowhere", "/setup"]) {
    it(`${path} has a strict content policy and may not be framed`, async () => {
      const { headers, text } = await admin.get(path);
      const policy = headers.get("content-security-policy") ?? "";
      assert.match(policy, /frame-ancestors 'none'/);
      assert.match(policy, /object-src 'none'/);
      assert.match(policy, /font-src data:(;|$)/);
      assert.doesNotMatch(policy, /unsafe/);
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      const nonce = policy.match(/'nonce-([^']+)'/)?.[1];
      for (const [tag] of withoutScripts(text).matchAll(/<script\b[^>]*>/g)) {
        assert.ok(nonce && tag.includes(`nonce="${nonce}"`), tag);
      }
      assert.doesNotMatch(text, /\son\w+=|\sstyle=/);
    });
  }

  it("a nonce is used once", async () => {
    const nonceOf = async () =>
      (await admin.get("/admin/online")).headers.get("content-security-policy")?.match(
        /nonce-[^']+/,
      );
    assert.notDeepEqual(await nonceOf(), await nonceOf());
  });

  it("errors are pages of the app, or JSON where that is asked for", async () => {
    const page = await admin.get("/nowhere");
    assert.equal(page.status, 404);
    assert.match(page.text, /<div id="app"/);
    const json = await admin.send("GET", "/nowhere", undefined, { accept: "application/json" });
    assert.equal(json.status, 404);
    assert.equal(JSON.parse(json.text).reason, "not_found");
    const expired = await admin.submit("/sign-out", { _token: "" });
    assert.equal(expired.status, 419);
    assert.match(expired.text, /expired/);
  });

  it("a malformed Host or path is a bad request, an unknown method not implemented, and neither is logged", async () => {
    const before = server.log;
    const rows: [line: string, host: string, status: number][] = [
      ["GET /", "a b", 400],
      ["GET /", "[::1", 400],
      ["GET /", "x:99999", 400],
      ["GET /wallboard/%", "localhost", 400],
      ["PROPFIND /", "localhost", 501],
      ["TRACE /", "localhost", 501],
    ];
    for (const [line, host, status] of rows) {
      await using wire = await Wire.connect(Number(new URL(server.origin).port));
      const request = `${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      await wire.write(new TextEncoder().encode(request));
      await withTimeout(wire.ended, "the connection was closed");
      const answer = new TextDecoder().decode(wire.received);
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), `${line} ${host}`);
      assert.match(answer, /\r\nx-content-type-options: nosniff\r\n/i, line);
    }
    assert.equal(server.log, before);
  });

  it("a static file that has not changed keeps the browser's caching of it", async () => {
    const { headers } = await admin.get("/pages.css");
    const tag = headers.get("etag")!;
    const again = await admin.send("GET", "/pages.css", undefined, { "if-none-match": tag });
    assert.equal(again.status, 304);
    assert.equal(again.headers.get("cache-control"), null);
    assert.equal(again.headers.get("x-content-type-options"), "nosniff");
  });

  it("the session cookie is out of reach for scripts and other sites", async () => {
    const visitor = new HttpVisitor(server.origin);
    const { headers } = await visitor.signIn(ada);
    const session = headers.getSetCookie().find((cookie) => cookie.includes("session"));
    assert.match(session ?? "", /HttpOnly/i);
    assert.match(session ?? "", /SameSite=Lax/i);
    assert.doesNotMatch(session ?? "", /Secure;|Secure$/i);
    const device = headers.getSetCookie().find((cookie) => cookie.includes("device"));
    assert.match(device ?? "", /^rollcall_device=\S+; HttpOnly; Max-Age=31536000; SameSite=Lax;/);
  });

  it("forms with the token are refused when a page of another site sends them", async () => {
    const visitor = new HttpVisitor(server.origin);
    await visitor.get("/sign-in");
    const form = () =>
      new URLSearchParams({ _token: visitor.csrfToken, email: "a@example.com", password: "wrong" });
    const statusFrom = async (headers: Record<string, string>) =>
      (await visitor.send("POST", "/sign-in", form(), headers)).status;
    assert.equal(await statusFrom({ origin: "https://evil.example" }), 403);
    assert.equal(await statusFrom({ "sec-fetch-site": "same-site" }), 403);
    assert.equal(await statusFrom({ "sec-fetch-site": "same-origin" }), 422);
    assert.equal(await statusFrom({ origin: server.origin }), 422);
  });

  it("a body without its length is refused, and its connection is closed", async () => {
    await using wire = await Wire.connect(Number(new URL(server.origin).port));
    const head = "POST /sign-in HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    await wire.write(new TextEncoder().encode(`${head}1\r\na\r\n`));
    await withTimeout(wire.ended, "the connection was closed");
    const answer = new TextDecoder().decode(wire.received);
    assert.match(answer, /^HTTP\/1\.1 411 [^]*Send the body with a Content-Length\./);
  });
});

describe("sign-in attempts", () => {
  it("are limited, whatever X-Forwarded-For says", async () => {
    await using server = await Rollcall.start();
    const visitor = new HttpVisitor(server.origin);
    await visitor.get("/sign-in");
    const attempt = (address: string) =>
      visitor.send(
        "POST",
        "/sign-in",
        new URLSearchParams({
          _token: visitor.csrfToken,
          email: "somebody@example.com",
          password: "wrong password",
        }),
        { "x-forwarded-for": address, "x-real-ip": address, forwarded: `for=${address}` },
      );
    const statuses: number[] = [];
    for (let count = 0; count < 12; count++) {
      statuses.push((await attempt(`203.0.113.${count}`)).status);
    }
    assert.deepEqual(statuses.slice(0, 10), Array(10).fill(422));
    assert.deepEqual(statuses.slice(10), [429, 429]);
    const { headers, text } = await attempt("203.0.113.99");
    assert.match(headers.get("retry-after") ?? "", /^\d+$/);
    assert.match(text, /Too many attempts/);
  });
});
