import assert from "node:assert/strict";
import net from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { dnsVerdict } from "@/server/check/steps/network.ts";
import { handshakeVerdict } from "@/server/check/steps/tls.ts";
import { refusedVerdict } from "@/server/check/steps/socket.ts";
import { CertificateAuthority, selfSignedCertificate } from "../../fixtures/certificates.ts";
import {
  answerOf,
  type Faults,
  FaultyProxy,
  isUpgrade,
  pathOfHead,
  removeHeader,
} from "../../fixtures/faulty_proxy.ts";
import { reservePort } from "../../fixtures/reserved_port.ts";
import { assertFails, check, secrets, statesOf, targetAt } from "./harness.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

describe("the steps to a port, behind faults of name, port and TLS", () => {
  let authority: CertificateAuthority;
  beforeAll(async () => {
    authority = await CertificateAuthority.found();
  });
  afterAll(() => authority[Symbol.asyncDispose]());

  it("fails for a name without a DNS record and skips all other steps", async () => {
    const report = await check(targetAt("https://nowhere.invalid"));
    // The lookup fails differently in a network without DNS servers.
    const [found, change] = [/nowhere\.invalid/, /A or AAAA record|resolv\.conf/];
    assertFails(report, "dns", found, change);
    const { dns, ...others } = statesOf(report.findings);
    assert.equal(dns, "failed");
    assert.deepEqual([...new Set(Object.values(others))], ["skipped"]);
    assert.match(report.findings.at(-1)?.found ?? "", /^Fix “DNS” first\.$/);
  });

  it("fails for a port on which nothing listens", async () => {
    const port = await reservePort();
    const report = await check(targetAt(`http://127.0.0.1:${port}`));
    assertFails(
      report,
      "tcp",
      new RegExp(`Nothing is listening on 127\\.0\\.0\\.1:${port}\\.`),
      new RegExp(`Start the proxy.*PORT is 8000, APP_URL uses ${port}`),
    );
  });

  it("fails for a certificate of another name", async () => {
    const certificate = await authority.issue("other.example.com", 1);
    await using proxy = await FaultyProxy.to("http://127.0.0.1:1", { tls: certificate });
    assertFails(
      await check(targetAt(proxy.origin)),
      "tls",
      /not for localhost, but for other\.example\.com/,
      /nginx: `ssl_certificate` beside `server_name localhost;`/,
    );
  });

  it("fails for an expired certificate", async () => {
    const certificate = await authority.issue("localhost", 0);
    await using proxy = await FaultyProxy.to("http://127.0.0.1:1", { tls: certificate });
    assertFails(await check(targetAt(proxy.origin)), "tls", /expired on 20/, /certbot renew/);
  });

  it("fails for a certificate of an unknown authority", async () => {
    const certificate = await authority.issue("localhost", 30);
    await using proxy = await FaultyProxy.to("http://127.0.0.1:1", { tls: certificate });
    const report = await check(targetAt(proxy.origin));
    assertFails(report, "tls", /authority is not trusted/, /fullchain\.pem[^]*DENO_CERT/);
  });

  it("fails for a self-signed certificate", async () => {
    const { certFile, keyFile, remove } = await selfSignedCertificate();
    const [cert, key] = [await Deno.readTextFile(certFile), await Deno.readTextFile(keyFile)];
    await remove();
    await using proxy = await FaultyProxy.to("http://127.0.0.1:1", { tls: { cert, key } });
    assertFails(await check(targetAt(proxy.origin)), "tls", /Self-signed certificate/, /certbot/);
  });

  it("says what to do about a self-signed certificate that DENO_CERT names", async () => {
    const { certFile, keyFile, remove } = await selfSignedCertificate();
    const [cert, key] = [await Deno.readTextFile(certFile), await Deno.readTextFile(keyFile)];
    await using proxy = await FaultyProxy.to("http://127.0.0.1:1", { tls: { cert, key } });
    Deno.env.set("DENO_CERT", certFile);
    try {
      const report = await check(targetAt(proxy.origin));
      assertFails(report, "tls", /the one that `DENO_CERT` names/, /Make an authority/);
    } finally {
      Deno.env.delete("DENO_CERT");
      await remove();
    }
  });

  it("fails for an https address at which the server speaks no TLS", async () => {
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      () => new Response(),
    );
    const report = await check(targetAt(`https://localhost:${server.addr.port}`));
    assertFails(report, "tls", /does not speak TLS/, /listen 443 ssl[^]*http:\/\//);
  });

  it("fails for an http address at which the server speaks TLS", async () => {
    const certificate = await authority.issue("localhost", 1);
    await using proxy = await FaultyProxy.to("http://127.0.0.1:1", { tls: certificate });
    const report = await check(targetAt(proxy.origin.replace("https", "http")));
    assertFails(report, "page", /without an HTTP response/, /begin APP_URL with https/);
  });

  it("fails after the timeout when the server accepts connections and sends nothing", async () => {
    const server = net.createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const sockets: net.Socket[] = [];
    server.on("connection", (socket) => sockets.push(socket.on("error", () => {})));
    const { port } = server.address() as net.AddressInfo;
    const fast = { timeoutMs: 300 };
    try {
      const secure = await check(targetAt(`https://localhost:${port}`), fast);
      assertFails(secure, "tls", /does not answer the TLS handshake/, /PROXY protocol/);
      const plain = await check(targetAt(`http://localhost:${port}`), fast);
      assertFails(plain, "page", /no page arrives/, /proxy and Rollcall logs/);
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    }
  });

  it("suggests a DNS record for an unknown name, and the resolver when DNS does not answer", () => {
    const changeOf = (code: string) => {
      const verdict = dnsVerdict("a.example.com", code, "APP_URL");
      return "change" in verdict ? verdict.change : "";
    };
    assert.match(changeOf("ENOTFOUND"), /A or AAAA record for a\.example\.com.*APP_URL/);
    assert.match(changeOf("EAI_AGAIN"), /resolv\.conf/);
    assert.match(changeOf("ETIMEDOUT"), /resolv\.conf/);
  });

  it("names the setting that turns TLS off for an external server without TLS", () => {
    const verdict = handshakeVerdict("ws.example.com", "EPROTO", "PUSHER_SCHEME=http");
    assert.match("change" in verdict ? verdict.change : "", /PUSHER_SCHEME=http/);
  });
});

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
