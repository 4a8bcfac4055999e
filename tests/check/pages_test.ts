import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { selfRequestPath } from "../../check/probe.ts";
import {
  answerOf,
  FaultyProxy,
  isUpgrade,
  pathOfHead,
  removeHeader,
  setHeader,
} from "../fixtures/faulty_proxy.ts";
import { Rollcall } from "../fixtures/rollcall.ts";
import { assertFails, secrets, statesOf, subjectAt, test } from "./target.ts";

describe("a self-test that gets to pages", () => {
  let server: Rollcall;
  beforeAll(async () => {
    server = await Rollcall.start(secrets);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("passes every step where all is well, but for TLS where there is none", async () => {
    const { findings, ok } = await test(subjectAt(server.origin));
    const { tls, ...others } = statesOf(findings);
    assert.equal(tls, "not tried");
    assert.deepEqual([...new Set(Object.values(others))], ["ok"], JSON.stringify(findings));
    assert.equal(ok, true);
  });

  it("passes them below a path, whether a proxy passes it on or takes it off", async () => {
    const prefix = "/team/rollcall";
    await using prefixed = await Rollcall.start({
      ...secrets,
      APP_URL: `http://localhost${prefix}`,
    });
    await using off = await FaultyProxy.to(new URL(prefixed.origin).origin, {
      request: (head) => void (head.line = head.line.replace(` ${prefix}/`, " /")),
    });
    for (const address of [prefixed.origin, `${off.origin}${prefix}`]) {
      const { findings, ok, address: tested } = await test(subjectAt(address));
      assert.equal(ok, true, JSON.stringify(findings));
      assert.equal(tested, address);
    }
  });

  it("names another program's page", async () => {
    await using other = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      () => new Response("<title>Welcome to nginx!</title>"),
    );
    const report = await test(subjectAt(`http://localhost:${other.addr.port}`));
    assertFails(
      report,
      "page",
      /no page of Rollcall: another program/,
      /proxy_pass http:\/\/127\.0\.0\.1:8000;`/,
    );
  });

  it("names a redirect to elsewhere, and does not go there", async () => {
    let visits = 0;
    await using elsewhere = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
      visits++;
      return new Response();
    });
    const target = `http://localhost:${elsewhere.addr.port}/x`;
    await using proxy = await FaultyProxy.to(server.origin, {
      request: () => answerOf("301 Moved Permanently", "", `location: ${target}?token=1`),
    });
    const report = await test(subjectAt(proxy.origin));
    assertFails(
      report,
      "page",
      new RegExp(`leads to another one .*: ${target}\\.$`),
      /set APP_URL/,
    );
    assert.equal(visits, 0);
  });

  it("names a proxy that does not reach Rollcall", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: () => answerOf("502 Bad Gateway", "<h1>502 Bad Gateway</h1>"),
    });
    const report = await test(subjectAt(proxy.origin));
    assertFails(report, "page", /does not reach Rollcall \(status 502\)/, /Start Rollcall/);
  });

  it("names an access rule before Rollcall", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: () => answerOf("401 Unauthorized", "", "www-authenticate: Basic"),
    });
    assertFails(await test(subjectAt(proxy.origin)), "page", /status 401/, /auth_basic/);
  });

  it("is content with a proxy that keeps /up to itself", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: (head) => pathOfHead(head) === "/up" ? answerOf("403 Forbidden", "") : undefined,
    });
    const { ok, findings } = await test(subjectAt(proxy.origin));
    assert.equal(ok, true, JSON.stringify(findings));
  });

  it("names another installation of Rollcall", async () => {
    const target = subjectAt(server.origin, { secret: "the app key of another installation" });
    const report = await test(target);
    assertFails(report, "installation", /but not this one \(status 404\)/, /the same APP_KEY/);
  });

  it("names an address that two installations share", async () => {
    let asked = 0;
    await using proxy = await FaultyProxy.to(server.origin, {
      request: (head) =>
        pathOfHead(head).startsWith(selfRequestPath) && asked++ % 2 === 0
          ? answerOf("404 Not Found", "")
          : undefined,
    });
    const report = await test(subjectAt(proxy.origin));
    assertFails(report, "installation", /Two servers share/, /pass everything on to this one/);
  });

  it("names an address that two processes of one installation share", async () => {
    await using second = await Rollcall.start(secrets);
    let asked = 0;
    const proxy: FaultyProxy = await FaultyProxy.to(server.origin, {
      request: () => void (proxy.target = asked++ % 2 === 0 ? server.origin : second.origin),
    });
    await using _ = proxy;
    const report = await test(subjectAt(proxy.origin));
    assertFails(report, "installation", /2 processes share/, /Run one process/);
  });

  it("names a clock that is off: by the header Date, that of a proxy", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      answer: (head) => setHeader(head, "date", new Date(Date.now() - 7_200_000).toUTCString()),
    });
    const report = await test(subjectAt(proxy.origin));
    assertFails(report, "clock", /header Date is 7[12]\d\d s behind/, /proxy's machine.*set-ntp/);
    assert.equal(statesOf(report.findings).event, "ok");
  });

  it("names a proxy that asks for another host", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: (head) => setHeader(head, "host", "127.0.0.1:8000"),
    });
    const report = await test(subjectAt(proxy.origin));
    assertFails(
      report,
      "headers",
      /the host 127\.0\.0\.1:8000, not localhost/,
      /ProxyPreserveHost/,
    );
  });

  for (const direction of ["request", "answer"] as const) {
    it(`names a proxy that takes cookies from the ${direction}`, async () => {
      const header = direction === "request" ? "cookie" : "set-cookie";
      await using proxy = await FaultyProxy.to(server.origin, {
        [direction]: (head: Parameters<typeof removeHeader>[0]) => removeHeader(head, header),
      });
      const report = await test(subjectAt(proxy.origin));
      assertFails(report, "headers", /nobody can sign in/, /Cookie and Set-Cookie/);
    });
  }

  it("names a proxy that takes the origin away, where it matters", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: (head) => removeHeader(head, "origin"),
    });
    const target = subjectAt(proxy.origin);
    assert.equal((await test(target)).ok, true);
    const app = { ...target.app, allowedOrigins: ["https://pages.example.com"] };
    const report = await test({ ...target, app });
    assertFails(report, "headers", /ALLOWED_ORIGINS has no effect/, /Origin on/);
  });

  it("names a proxy that says who asks, and is not trusted", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: (head) => {
        if (!isUpgrade(head)) setHeader(head, "x-forwarded-for", "203.0.113.7");
      },
    });
    const report = await test(subjectAt(proxy.origin));
    assertFails(
      report,
      "client_address",
      /taken for the client/,
      /Set `TRUSTED_PROXIES`.*127\.0\.0\.1/,
    );
  });

  it("names a proxy that does not say who asks", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: (head) => setHeader(head, "via", "1.1 proxy"),
    });
    const report = await test(subjectAt(proxy.origin));
    assertFails(
      report,
      "client_address",
      /does not say who asks/,
      /X-Forwarded-For \$remote_addr[^]*TRUSTED_PROXIES/,
    );
  });
});
