import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Config } from "@/server/config/config.ts";
import { securityHeaders } from "@/http/security_headers.ts";

/** The headers of an answer to a request for a host. */
async function headersOf(
  { appUrl = "https://online.example.org/", headers = {} as Record<string, string>, status = 200 },
): Promise<Headers> {
  const body = status === 304 ? null : "";
  // It has what the headers need of a context, and nothing else.
  const context = {
    url: new URL(appUrl),
    next: () => Promise.resolve(new Response(body, { status, headers })),
  };
  const middleware = securityHeaders({ appUrl: new URL(appUrl) } as Config);
  return (await middleware(context as never)).headers;
}

describe("the headers of every answer", () => {
  it("keep pages with tokens and live numbers out of every cache", async () => {
    assert.equal((await headersOf({})).get("cache-control"), "no-store");
  });

  it("leave an answer cached that says so, and what a browser keeps of an unchanged file", async () => {
    const forever = { "cache-control": "public, max-age=31536000, immutable" };
    const cached = await headersOf({ headers: forever });
    assert.equal(cached.get("cache-control"), forever["cache-control"]);
    assert.equal((await headersOf({ status: 304 })).get("cache-control"), null);
  });

  it("keep pages of other sites from reaching into a page that they opened", async () => {
    const headers = await headersOf({});
    assert.equal(headers.get("cross-origin-opener-policy"), "same-origin");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("permissions-policy"), "camera=(), geolocation=(), microphone=()");
  });

  it("tell other sites no address, unless the answer says even less", async () => {
    assert.equal((await headersOf({})).get("referrer-policy"), "same-origin");
    const wallboard = await headersOf({ headers: { "referrer-policy": "no-referrer" } });
    assert.equal(wallboard.get("referrer-policy"), "no-referrer");
  });

  it("keep the token of a link out of the address that other requests state", async () => {
    for (const path of ["invite/token", "reset-password/token"]) {
      for (const said of ["", "same-origin"]) {
        const headers: Record<string, string> = said ? { "referrer-policy": said } : {};
        const answer = await headersOf({ appUrl: `https://online.example.org/${path}`, headers });
        assert.equal(answer.get("referrer-policy"), "strict-origin");
      }
    }
  });

  it("ask for https only where that is used, and not for localhost", async () => {
    const asks = async (appUrl: string) =>
      (await headersOf({ appUrl })).has("strict-transport-security");
    assert.ok(await asks("https://online.example.org/"));
    assert.ok(!await asks("http://online.example.org/"));
    assert.ok(!await asks("https://localhost/"));
  });

  it("allow no inline script in an answer without a nonce", async () => {
    const policy = "script-src 'self' 'unsafe-inline'; upgrade-insecure-requests";
    const policyOf = async (appUrl: string) =>
      (await headersOf({ appUrl, headers: { "content-security-policy": policy } }))
        .get("content-security-policy");
    assert.equal(
      await policyOf("https://online.example.org/"),
      "script-src 'self'; upgrade-insecure-requests",
    );
    assert.equal(await policyOf("http://online.example.org/"), "script-src 'self'");
  });
});
