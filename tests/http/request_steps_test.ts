import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { App } from "fresh";
import { Registry } from "prom-client";
import { type Config, parseConfig } from "@/server/config/config.ts";
import { refuseUnroutable, routingFault } from "@/http/early_answers.ts";
import { HttpMetrics } from "@/server/observability/metrics.ts";
import type { Services } from "@/server/services.ts";
import { mayComeFromOwnPage, publicOrigin } from "@/http/request.ts";
import { securityHeaders } from "@/http/security_headers.ts";
import { PrefixedApp } from "@/http/prefixed_app.ts";
import type { State } from "@/http/state.ts";

const origin = "http://a.example";

describe("a request that Fresh cannot route", () => {
  const registry = new Registry();
  // It has what the guard uses of the services, and nothing else.
  const refuse = refuseUnroutable(
    {
      config: parseConfig({ APP_URL: "https://a.example" }),
      metrics: { http: new HttpMetrics(registry) },
      httpApi: { handles: (path: string) => path.startsWith("/apps/") },
    } as unknown as Services,
  );
  const rows: [what: string, method: string, url: string, status: number, route: string][] = [
    ["a malformed percent-encoding", "GET", `${origin}/wallboard/%`, 400, "page"],
    ["an encoding that is not UTF-8", "POST", `${origin}/apps/%ff/events`, 400, "api"],
    ["a method of WebDAV", "PROPFIND", `${origin}/`, 501, "page"],
    ["TRACE", "TRACE", `${origin}/up`, 501, "probe"],
    ["a malformed Host", "GET", "http://a b/", 400, "page"],
  ];
  for (const [what, method, url, status, route] of rows) {
    it(`is answered ${status} with the security headers, and counted: ${what}`, async () => {
      registry.resetMetrics();
      const response = refuse({ method, url } as Request);
      assert.equal(response?.status, status);
      assert.match(await response.text(), /^The .* is (malformed|not supported)\.\n$/);
      const { headers } = response;
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.equal(headers.get("cache-control"), "no-store");
      assert.equal(headers.get("strict-transport-security"), "max-age=31536000");
      const counted = `rollcall_http_requests_total{route="${route}",status="${status}"} 1`;
      assert.ok((await registry.metrics()).includes(counted));
    });
  }
});

it("a request that is not refused is one that Fresh routes without throwing", async () => {
  const handler = new App().all("/:id", (ctx) => ctx.text(ctx.params.id)).handler();
  const methods = fc.oneof(
    fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"),
    fc.stringMatching(/^[A-Z]{1,8}$/).filter((method) => !/^(CONNECT|TRACE|TRACK)$/.test(method)),
  );
  const paths = fc.array(fc.constantFrom("%", "%2", "%2F", "%ff", "%E2%9C%93", "a", "+", ";", "ß"));
  let routed = 0;
  await fc.assert(fc.asyncProperty(methods, paths, async (method, parts) => {
    const request = new Request(`${origin}/${parts.join("")}`, { method });
    const isRouted = await handler(request).then(({ status }) => status < 500, () => false);
    assert.ok(isRouted || routingFault(request) !== null);
    if (isRouted) routed++;
  }));
  assert.ok(routed > 0);
});

const sentTo = new URL("http://192.0.2.1:8000/admin/settings/wallboards");

describe("the origin of links that are passed on", () => {
  it("is the origin of APP_URL, whatever the Host header is", () => {
    const config = parseConfig({ APP_URL: "https://rollcall.example.com/below" });
    assert.equal(publicOrigin(config, sentTo), "https://rollcall.example.com");
  });

  it("is where the request was sent to when APP_URL is not given", () => {
    assert.equal(publicOrigin(parseConfig({}), sentTo), "http://192.0.2.1:8000");
  });

  it("is https behind a proxy when APP_URL is https://localhost", () => {
    const config = parseConfig({ APP_URL: "https://localhost:8443" });
    assert.equal(publicOrigin(config, sentTo), "https://192.0.2.1:8000");
  });
});

const appUrl = new URL("https://rollcall.example.com/below");

/** Headers, whether the request may come from the app's own page, and why. */
const cases: [headers: Record<string, string>, answer: boolean, why: string][] = [
  [{}, true, "programs state nothing"],
  [{ origin: "https://rollcall.example.com" }, true, "it is the public address"],
  [{ origin: "http://192.0.2.1:8000" }, true, "it is the host that was asked"],
  [{ origin: "https://other.example.com" }, false, "it is another host"],
  [{ origin: "https://rollcall.example.com:8443" }, false, "it is another port"],
  [{ origin: "http://192.0.2.1" }, false, "it is another port of the host that was asked"],
  [{ origin: "null" }, false, "it is a sandboxed or hidden page"],
  [{ "sec-fetch-site": "same-origin" }, true, "the browser compared them"],
  [{ "sec-fetch-site": "same-origin", origin: "https://public.example" }, true, "of the proxy"],
  [{ "sec-fetch-site": "none" }, true, "the person sent it, not a page"],
  [{ "sec-fetch-site": "same-site" }, false, "it is a neighbouring subdomain"],
  [{ "sec-fetch-site": "cross-site" }, false, "it is another site"],
  [{ "sec-fetch-site": "cross-site", origin: appUrl.origin }, false, "either suffices to refuse"],
  [{ "sec-fetch-site": "anything" }, false, "an unknown value is not trusted"],
];

describe("whether a request may come from an own page", () => {
  for (const [headers, answer, why] of cases) {
    it(`is ${answer} for ${JSON.stringify(headers)}, because ${why}`, () => {
      const url = new URL("http://192.0.2.1:8000/sign-in");
      assert.equal(mayComeFromOwnPage(new Headers(headers), url, appUrl), answer);
    });
  }
});

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

describe("an app below a path", () => {
  const app = new PrefixedApp<unknown>({ basePath: "/rollcall" })
    .get("/", (ctx) => ctx.text(`home ${ctx.url.pathname}`))
    .all("/echo/:id", async (ctx) => {
      const { method, headers } = ctx.req;
      const said = [method, ctx.params.id, ctx.url.search, headers.get("x-said")];
      return ctx.text([...said, await ctx.req.text()].join("|"));
    });
  const ask = async (path: string, init?: RequestInit) => {
    const response = await app.handler()(new Request(`http://a.example${path}`, init));
    return [response.status, await response.text()];
  };

  for (const path of ["/", "/rollcall", "/rollcall/"]) {
    it(`serves its home page at ${path}`, async () => {
      assert.deepEqual(await ask(path), [200, "home /rollcall"]);
    });
  }

  for (const before of ["", "/rollcall"]) {
    it(`receives method, body and headers of a request to ${before}/echo`, async () => {
      const init = { method: "POST", body: "hello", headers: { "x-said": "yes" } };
      assert.deepEqual(await ask(`${before}/echo/a%20b?c=d%2F`, init), [
        200,
        "POST|a b|?c=d%2F|yes|hello",
      ]);
      assert.deepEqual(await ask(`${before}/echo/1`), [200, "GET|1|||"]);
    });
  }

  for (const path of ["/rollcalls/echo/1", "/rollcall/rollcall/echo/1", "/other"]) {
    it(`answers 404 to ${path}`, async () => assert.equal((await ask(path))[0], 404));
  }
});

it("an app below a path receives the very request that opens a socket, which alone can be upgraded", async () => {
  const seen: Request[] = [];
  const app = new PrefixedApp<unknown>({ basePath: "/rollcall" }).use((ctx) => {
    seen.push(ctx.req);
    return ctx.text("");
  });
  const request = new Request("http://a.example/app/key", { headers: { upgrade: "WebSocket" } });
  await app.handler()(request);
  assert.equal(seen[0], request);
});

it("an app without a path receives requests unchanged", async () => {
  const seen: Request[] = [];
  const app = new PrefixedApp<unknown>({}).get("/", (ctx) => {
    seen.push(ctx.req);
    return ctx.text("");
  });
  const request = new Request("http://a.example/");
  await app.handler()(request);
  assert.equal(seen[0], request);
});

async function transportSecurity(appUrl: string, address: string): Promise<string | null> {
  const app = new App<State>().use(securityHeaders(parseConfig({ APP_URL: appUrl })))
    .get("/", (ctx) => ctx.text("a page"));
  const { headers } = await app.handler()(new Request(address));
  return headers.get("strict-transport-security");
}

describe("the header Strict-Transport-Security", () => {
  it("is sent for a year under https, also when a proxy ends it", async () => {
    const sent = await transportSecurity(
      "https://rollcall.example.com",
      "http://rollcall.example.com/",
    );
    assert.equal(sent, "max-age=31536000");
  });

  it("is not sent under http, nor for localhost", async () => {
    assert.equal(await transportSecurity("http://rollcall.lan", "http://rollcall.lan/"), null);
    assert.equal(
      await transportSecurity("https://localhost:8443", "https://localhost:8443/"),
      null,
    );
  });
});
