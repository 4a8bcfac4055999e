import assert from "node:assert/strict";
import net from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { dnsVerdict } from "@/server/check/steps/network.ts";
import { handshakeVerdict } from "@/server/check/steps/tls.ts";
import { selfSignedCertificate } from "../../fixtures/certificate.ts";
import { CertificateAuthority } from "../../fixtures/certificate_authority.ts";
import { FaultyProxy } from "../../fixtures/faulty_proxy.ts";
import { reservePort } from "../../fixtures/reserved_port.ts";
import { assertFails, check, statesOf, targetAt } from "./harness.ts";

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
    assert.match(report.findings.at(-1)?.found ?? "", /^Fix "DNS" first\.$/);
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
