import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { refusedVerdict } from "../../check/steps/connection.ts";
import {
  answerOf,
  type Faults,
  FaultyProxy,
  isUpgrade,
  pathOfHead,
  removeHeader,
} from "../fixtures/faulty_proxy.ts";
import { Rollcall } from "../fixtures/rollcall.ts";
import { assertFails, secrets, statesOf, subjectAt, test } from "./target.ts";

/** A proxy that gives this answer to whoever asks for a socket. */
function answersSockets(status: string, headers?: string): Faults {
  return { request: (head) => isUpgrade(head) ? answerOf(status, "", headers) : undefined };
}

describe("a self-test that gets as far as sockets", () => {
  let server: Rollcall;
  beforeAll(async () => {
    server = await Rollcall.start(secrets);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const upgradeFaults: [string, Faults, RegExp, RegExp][] = [
    [
      "drops the headers of the upgrade",
      { request: (head) => removeHeader(head, "upgrade") },
      /status 400, as if it were a page: the header Upgrade got lost/,
      /proxy_set_header Upgrade[^]*upgrade=websocket[^]*Caddy/,
    ],
    [
      "answers sockets with 502",
      answersSockets("502 Bad Gateway"),
      /passes pages on, but not sockets/,
      /same address as pages/,
    ],
    ["answers sockets with 426", answersSockets("426 Upgrade Required"), /got lost/, /Upgrade/],
    ["answers sockets with a page", answersSockets("200 OK"), /status 200, as if/, /Upgrade/],
    [
      "does not find sockets",
      answersSockets("404 Not Found"),
      /does not get to/,
      /below `\/app\/`/,
    ],
    ["forbids sockets", answersSockets("403 Forbidden"), /before Rollcall/, /allow WebSocket/],
    [
      "leads sockets to another address",
      answersSockets("302 Found", "location: https://x.example/y?secret=1"),
      /leads to https:\/\/x\.example\/y, and clients do not follow/,
      /no `rewrite`/,
    ],
    [
      "opens sockets of its own making",
      { answer: (head) => removeHeader(head, "sec-websocket-accept") },
      /does not speak WebSocket/,
      /Upgrade/,
    ],
  ];
  for (const [what, faults, found, change] of upgradeFaults) {
    it(`names a proxy that ${what}`, async () => {
      await using proxy = await FaultyProxy.to(server.origin, faults);
      const report = await test(subjectAt(proxy.origin));
      assertFails(report, "upgrade", found, change);
      assert.equal(statesOf(report.findings).quiet, "not tried");
    });
  }

  it("names a proxy that holds frames back", async () => {
    await using proxy = await FaultyProxy.to(server.origin, { swallowsFrames: true });
    const report = await test(subjectAt(proxy.origin), { patienceMs: 1_000 });
    assertFails(report, "connection", /no frame comes \(ETIMEDOUT\)/, /proxy_buffering off/);
  });

  it("names a proxy that takes the query off", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: (head) => {
        if (isUpgrade(head)) head.line = head.line.replace(/\?\S*/, "");
      },
    });
    const report = await test(subjectAt(proxy.origin));
    assertFails(report, "connection", /version of the protocol \(4008\)/, /pass the query on/);
  });

  it("names a server with another key", async () => {
    const target = subjectAt(server.origin);
    const report = await test({ ...target, app: { ...target.app, key: "another-key" } });
    assertFails(report, "connection", /no app with the key another-key \(4001\)/, /PUSHER_APP_KEY/);
  });

  it("names a server that has another secret, and shows neither", async () => {
    const target = subjectAt(server.origin);
    const secret = "a secret that the server has not";
    const report = await test({ ...target, app: { ...target.app, secret } });
    assertFails(report, "signature", /has another secret/, /PUSHER_APP_SECRET/);
    const text = JSON.stringify(report);
    assert.ok(!text.includes(secret) && !text.includes(secrets.PUSHER_APP_SECRET));
    assert.doesNotMatch(text, /[0-9a-f]{64}/, "a signature");
  });

  it("names a server with another id of the app", async () => {
    const target = subjectAt(server.origin);
    const report = await test({ ...target, app: { ...target.app, id: "12" } });
    assertFails(report, "event", /status 404: there is no app 12/, /PUSHER_APP_ID/);
  });

  it("names a proxy that lets no calls of the HTTP API through", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: (head) =>
        pathOfHead(head).startsWith("/apps/") ? answerOf("405 Not Allowed", "") : undefined,
    });
    const report = await test(subjectAt(proxy.origin));
    assertFails(report, "event", /status 405, and not as Rollcall would/, /limit_except/);
  });

  it("names a proxy that takes events and keeps them", async () => {
    await using proxy = await FaultyProxy.to(server.origin, {
      request: (head) =>
        pathOfHead(head).startsWith("/apps/")
          ? answerOf("200 OK", "{}", "content-type: application/json")
          : undefined,
    });
    const report = await test(subjectAt(proxy.origin), { patienceMs: 1_000 });
    assertFails(report, "event", /does not come to the socket/, /several servers share/);
  });

  it("names a proxy that ends quiet sockets", async () => {
    await using proxy = await FaultyProxy.to(server.origin, { idleMs: 1_000 });
    const report = await test(subjectAt(proxy.origin), { quietMs: 3_000 });
    assertFails(report, "quiet", /closed after 1\.\d s without a word/, /proxy_read_timeout/);
  });

  it("checks the connection to a hosted service as far as it can", async () => {
    const hosted = {
      isHosted: true,
      sockets: new URL(server.origin.replace("http", "ws")),
      api: new URL(server.origin),
    };
    await using proxy = await FaultyProxy.to(server.origin, answersSockets("404 Not Found"));
    const report = await test(subjectAt(proxy.origin, hosted));
    assert.equal(report.ok, true, JSON.stringify(report.findings));
    const states = statesOf(report.findings);
    assert.deepEqual([states.socket_name, states.socket_tcp, states.event], ["ok", "ok", "ok"]);
    const without = await test(subjectAt(proxy.origin, { ...hosted, isAppIdGiven: false }));
    assert.equal(statesOf(without.findings).event, "not tried");
    assert.equal(without.ok, true);
  });

  it("says of each refusal of the protocol what to change", () => {
    const target = subjectAt("https://pages.example.com");
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
