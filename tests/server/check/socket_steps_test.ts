import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { refusedVerdict } from "@/server/check/steps/socket.ts";
import {
  answerOf,
  type Faults,
  FaultyProxy,
  isUpgrade,
  pathOfHead,
  removeHeader,
} from "../../fixtures/faulty_proxy.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { assertFails, check, secrets, statesOf, targetAt } from "./harness.ts";

/** A proxy that answers every WebSocket request with this status. */
function answersSockets(status: string, headers?: string): Faults {
  return { request: (head) => isUpgrade(head) ? answerOf(status, "", headers) : undefined };
}

describe("the steps of the WebSocket, behind faults of proxies and servers", () => {
  let server: Rollcall;
  beforeAll(async () => {
    server = await Rollcall.start(secrets);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const upgradeFaults: [string, Faults, RegExp, RegExp][] = [
    [
      "drops the Upgrade header",
      { request: (head) => removeHeader(head, "upgrade") },
      /status 400, like a page: the Upgrade header was lost/,
      /proxy_set_header Upgrade[^]*upgrade=websocket[^]*Caddy/,
    ],
    [
      "answers WebSocket requests with 502",
      answersSockets("502 Bad Gateway"),
      /forwards pages, but not WebSockets/,
      /same address as pages/,
    ],
    [
      "answers WebSocket requests with 426",
      answersSockets("426 Upgrade Required"),
      /was lost/,
      /Upgrade/,
    ],
    [
      "answers WebSocket requests with a page",
      answersSockets("200 OK"),
      /status 200, like/,
      /Upgrade/,
    ],
    [
      "answers WebSocket requests with 404",
      answersSockets("404 Not Found"),
      /does not reach Rollcall/,
      /below `\/app\/`/,
    ],
    [
      "forbids WebSocket requests",
      answersSockets("403 Forbidden"),
      /before it reaches Rollcall/,
      /allow WebSocket/,
    ],
    [
      "redirects WebSocket requests",
      answersSockets("302 Found", "location: https://x.example/y?secret=1"),
      /redirect to https:\/\/x\.example\/y\. Clients do not follow/,
      /no `rewrite`/,
    ],
    [
      "answers WebSocket requests with 101 but does not speak WebSocket",
      { answer: (head) => removeHeader(head, "sec-websocket-accept") },
      /does not speak WebSocket/,
      /Upgrade/,
    ],
  ];
  for (const [what, faults, found, change] of upgradeFaults) {
    it(`fail for a proxy that ${what}`, async () => {
      await using proxy = await FaultyProxy.to(server.origin, faults);
      const report = await check(targetAt(proxy.origin));
      assertFails(report, "upgrade", found, change);
      assert.equal(statesOf(report.findings).idle, "skipped");
    });
  }

  it("fail for a proxy that holds messages back", async () => {
    await using proxy = await FaultyProxy.to(server.origin, { swallowsFrames: true });
    const report = await check(targetAt(proxy.origin), { timeoutMs: 1_000 });
    assertFails(report, "connection", /no message arrives \(ETIMEDOUT\)/, /proxy_buffering off/);
  });

  it("fail for a proxy that drops the query string", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: (head) => {
        if (isUpgrade(head)) head.line = head.line.replace(/\?\S*/, "");
      },
    });
    const report = await check(targetAt(proxy.origin));
    assertFails(report, "connection", /protocol version \(4008\)/, /forward the query string/);
  });

  it("fail for a server with another app key", async () => {
    const target = targetAt(server.origin);
    const report = await check({ ...target, app: { ...target.app, key: "another-key" } });
    assertFails(report, "connection", /no app with the key another-key \(4001\)/, /PUSHER_APP_KEY/);
  });

  it("fail for a server with another app secret, and print neither secret", async () => {
    const target = targetAt(server.origin);
    const secret = "a secret that the server has not";
    const report = await check({ ...target, app: { ...target.app, secret } });
    assertFails(report, "signature", /has another secret/, /PUSHER_APP_SECRET/);
    const text = JSON.stringify(report);
    assert.ok(!text.includes(secret) && !text.includes(secrets.PUSHER_APP_SECRET));
    assert.doesNotMatch(text, /[0-9a-f]{64}/, "a signature");
  });

  it("fail for a server with another app id", async () => {
    const target = targetAt(server.origin);
    const report = await check({ ...target, app: { ...target.app, id: "12" } });
    assertFails(report, "event", /status 404: it has no app 12/, /PUSHER_APP_ID/);
  });

  it("fail for a proxy that blocks the HTTP API", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: (head) =>
        pathOfHead(head).startsWith("/apps/") ? answerOf("405 Not Allowed", "") : undefined,
    });
    const report = await check(targetAt(proxy.origin));
    assertFails(report, "event", /status 405, and the response is not Rollcall's/, /limit_except/);
  });

  it("fail for a proxy that accepts events itself", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: (head) =>
        pathOfHead(head).startsWith("/apps/")
          ? answerOf("200 OK", "{}", "content-type: application/json")
          : undefined,
    });
    const report = await check(targetAt(proxy.origin), { timeoutMs: 1_000 });
    assertFails(report, "event", /the WebSocket did not receive it/, /several servers share/);
  });

  it("fail for a proxy that closes idle WebSockets", async () => {
    await using proxy = await FaultyProxy.to(server.origin, { idleMs: 1_000 });
    const report = await check(targetAt(proxy.origin), { idleMs: 3_000 });
    assertFails(report, "idle", /closed after 1\.\d s without traffic/, /proxy_read_timeout/);
  });

  it("pass for an external server, and skip the event when its app id is unknown", async () => {
    const hosted = {
      usesExternalServer: true,
      sockets: new URL(server.origin.replace("http", "ws")),
      api: new URL(server.origin),
    };
    await using proxy = await FaultyProxy.to(server.origin, answersSockets("404 Not Found"));
    const report = await check(targetAt(proxy.origin, hosted));
    assert.equal(report.ok, true, JSON.stringify(report.findings));
    const states = statesOf(report.findings);
    assert.deepEqual([states.socket_dns, states.socket_tcp, states.event], ["ok", "ok", "ok"]);
    const without = await check(targetAt(proxy.origin, { ...hosted, isAppIdGiven: false }));
    assert.equal(statesOf(without.findings).event, "skipped");
    assert.equal(without.ok, true);
  });

  it("suggest a fix for each of the protocol's close codes", () => {
    const target = targetAt("https://pages.example.com");
    const changes: [number, RegExp][] = [
      [4_000, /PUSHER_SCHEME/],
      [4_003, /Enable it/],
      [4_004, /MAX_CONNECTIONS/],
      [4_005, /`\/app\/`/],
      [4_009, /Add https:\/\/pages\.example\.com to ALLOWED_ORIGINS/],
      [4_100, /TRUSTED_PROXIES/],
      [4_299, /log/],
    ];
    for (const [code, change] of changes) {
      const verdict = refusedVerdict(target, code);
      assert.match("change" in verdict ? verdict.change : "", change);
    }
  });
});
