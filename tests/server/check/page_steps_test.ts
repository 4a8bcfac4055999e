import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { selfRequestPath } from "@/server/check/self_request.ts";
import {
  answerOf,
  FaultyProxy,
  isUpgrade,
  pathOfHead,
  removeHeader,
  setHeader,
} from "../../fixtures/faulty_proxy.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { assertFails, check, secrets, statesOf, targetAt } from "./harness.ts";

describe("the steps to a page, behind faults of proxies and servers", () => {
  let server: Rollcall;
  beforeAll(async () => {
    server = await Rollcall.start(secrets);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("pass with every other step on a server without faults; TLS is skipped for http", async () => {
    const { findings, ok } = await check(targetAt(server.origin));
    const { tls, ...others } = statesOf(findings);
    assert.equal(tls, "skipped");
    assert.deepEqual([...new Set(Object.values(others))], ["ok"], JSON.stringify(findings));
    assert.equal(ok, true);
  });

  it("pass below a path, whether the proxy keeps the path or strips it", async () => {
    const prefix = "/team/rollcall";
    await using prefixed = await Rollcall.start({
      ...secrets,
      APP_URL: `http://localhost${prefix}`,
    });
    await using stripping = await FaultyProxy.to(new URL(prefixed.origin).origin, {
      request: (head) => void (head.line = head.line.replace(` ${prefix}/`, " /")),
    });
    for (const address of [prefixed.origin, `${stripping.origin}${prefix}`]) {
      const { findings, ok, address: tested } = await check(targetAt(address));
      assert.equal(ok, true, JSON.stringify(findings));
      assert.equal(tested, address);
    }
  });

  it("fail for a page of another program", async () => {
    await using other = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      () => new Response("<title>Welcome to nginx!</title>"),
    );
    const report = await check(targetAt(`http://localhost:${other.addr.port}`));
    assertFails(
      report,
      "page",
      /no page of Rollcall: another program/,
      /proxy_pass http:\/\/127\.0\.0\.1:8000;`/,
    );
  });

  it("fail for a redirect to another address, without following it", async () => {
    let visits = 0;
    await using elsewhere = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
      visits++;
      return new Response();
    });
    const target = `http://localhost:${elsewhere.addr.port}/x`;
    await using proxy = await FaultyProxy.to(server.origin, {
      request: () => answerOf("301 Moved Permanently", "", `location: ${target}?token=1`),
    });
    const report = await check(targetAt(proxy.origin));
    assertFails(
      report,
      "page",
      new RegExp(`redirects \\(status 301\\) to ${target}\\.$`),
      /set APP_URL/,
    );
    assert.equal(visits, 0);
  });

  it("fail for a proxy that does not reach Rollcall", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: () => answerOf("502 Bad Gateway", "<h1>502 Bad Gateway</h1>"),
    });
    const report = await check(targetAt(proxy.origin));
    assertFails(report, "page", /can't reach Rollcall \(status 502\)/, /Start Rollcall/);
  });

  it("fail for an access rule in front of Rollcall", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: () => answerOf("401 Unauthorized", "", "www-authenticate: Basic"),
    });
    assertFails(await check(targetAt(proxy.origin)), "page", /status 401/, /auth_basic/);
  });

  it("pass behind a proxy that blocks /up", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: (head) => pathOfHead(head) === "/up" ? answerOf("403 Forbidden", "") : undefined,
    });
    const { ok, findings } = await check(targetAt(proxy.origin));
    assert.equal(ok, true, JSON.stringify(findings));
  });

  it("fail for another installation of Rollcall", async () => {
    const target = targetAt(server.origin, { secret: "the app key of another installation" });
    const report = await check(target);
    assertFails(report, "installation", /but not this one \(status 404\)/, /the same APP_KEY/);
  });

  it("fail for an address that two installations share", async () => {
    let asked = 0;
    await using proxy = await FaultyProxy.to(server.origin, {
      request: (head) =>
        pathOfHead(head).startsWith(selfRequestPath) && asked++ % 2 === 0
          ? answerOf("404 Not Found", "")
          : undefined,
    });
    const report = await check(targetAt(proxy.origin));
    assertFails(report, "installation", /Two servers share/, /forward everything to this one/);
  });

  it("fail for an address that two processes of one installation share", async () => {
    await using second = await Rollcall.start(secrets);
    let asked = 0;
    const proxy: FaultyProxy = await FaultyProxy.to(server.origin, {
      request: () => void (proxy.target = asked++ % 2 === 0 ? server.origin : second.origin),
    });
    await using _ = proxy;
    const report = await check(targetAt(proxy.origin));
    assertFails(report, "installation", /2 processes share/, /same REDIS_URL.*run one process/s);
  });

  it("fail for a Date header that is off while the server's clock is right", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      answer: (head) => setHeader(head, "date", new Date(Date.now() - 7_200_000).toUTCString()),
    });
    const report = await check(targetAt(proxy.origin));
    assertFails(report, "clock", /Date header is 7[12]\d\d s behind/, /proxy's machine.*set-ntp/);
    assert.equal(statesOf(report.findings).event, "ok");
  });

  it("fail for a proxy that changes the Host header", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: (head) => setHeader(head, "host", "127.0.0.1:8000"),
    });
    const report = await check(targetAt(proxy.origin));
    assertFails(
      report,
      "headers",
      /the host 127\.0\.0\.1:8000 instead of localhost/,
      /ProxyPreserveHost/,
    );
  });

  for (const direction of ["request", "answer"] as const) {
    it(`fail for a proxy that drops cookies from the ${direction}`, async () => {
      const header = direction === "request" ? "cookie" : "set-cookie";
      await using proxy = await FaultyProxy.to(server.origin, {
        [direction]: (head: Parameters<typeof removeHeader>[0]) => removeHeader(head, header),
      });
      const report = await check(targetAt(proxy.origin));
      assertFails(report, "headers", /no one can sign in/, /Cookie and Set-Cookie/);
    });
  }

  it("fail for a proxy that drops the Origin header only where origins are restricted", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: (head) => removeHeader(head, "origin"),
    });
    const target = targetAt(proxy.origin);
    assert.equal((await check(target)).ok, true);
    const app = { ...target.app, allowedOrigins: ["https://pages.example.com"] };
    const report = await check({ ...target, app });
    assertFails(report, "headers", /ALLOWED_ORIGINS has no effect/, /forward the Origin header/);
  });

  it("fail for an untrusted proxy that sends X-Forwarded-For", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: (head) => {
        if (!isUpgrade(head)) setHeader(head, "x-forwarded-for", "203.0.113.7");
      },
    });
    const report = await check(targetAt(proxy.origin));
    assertFails(
      report,
      "client_address",
      /takes the proxy 127\.0\.0\.1 for the client/,
      /Set `TRUSTED_PROXIES`.*127\.0\.0\.1/,
    );
  });

  it("fail for a proxy that sends no X-Forwarded-For", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: (head) => setHeader(head, "via", "1.1 proxy"),
    });
    const report = await check(targetAt(proxy.origin));
    assertFails(
      report,
      "client_address",
      /hides client addresses/,
      /X-Forwarded-For \$remote_addr[^]*TRUSTED_PROXIES/,
    );
  });
});
