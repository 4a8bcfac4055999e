import assert from "node:assert/strict";
import net from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { nameVerdict } from "../../check/steps/name.ts";
import { handshakeVerdict } from "../../check/steps/tls.ts";
import { selfSignedCertificate } from "../fixtures/certificate.ts";
import { CertificateAuthority } from "../fixtures/certificate_authority.ts";
import { FaultyProxy } from "../fixtures/faulty_proxy.ts";
import { assertFails, statesOf, subjectAt, test } from "./target.ts";

/** A port at which nobody listens. */
async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

describe("a self-test that does not get as far as a page", () => {
  let authority: CertificateAuthority;
  beforeAll(async () => {
    authority = await CertificateAuthority.found();
  });
  afterAll(() => authority[Symbol.asyncDispose]());

  it("names a name without an address, and tries nothing behind it", async () => {
    const report = await test(subjectAt("https://nowhere.invalid"));
    // A network without name servers says something else than one with.
    const [found, change] = [/nowhere\.invalid/, /A or AAAA record|resolv\.conf/];
    assertFails(report, "name", found, change);
    const { name, ...others } = statesOf(report.findings);
    assert.equal(name, "failed");
    assert.deepEqual([...new Set(Object.values(others))], ["not tried"]);
    assert.match(report.findings.at(-1)?.found ?? "", /“Name look-up” has to be right first/);
  });

  it("names a port at which nobody listens", async () => {
    const port = await freePort();
    const report = await test(subjectAt(`http://127.0.0.1:${port}`));
    assertFails(
      report,
      "tcp",
      new RegExp(`Nobody listens at 127\\.0\\.0\\.1, port ${port}`),
      new RegExp(`Start the proxy.*PORT is 8000 here, APP_URL has ${port}`),
    );
  });

  it("names a certificate for another name", async () => {
    const certificate = await authority.issue("other.example.com", 1);
    await using proxy = await FaultyProxy.to("http://127.0.0.1:1", { tls: certificate });
    assertFails(
      await test(subjectAt(proxy.origin)),
      "tls",
      /not for localhost, but for other\.example\.com/,
      /nginx: `ssl_certificate` beside `server_name localhost;`/,
    );
  });

  it("names a certificate that has expired", async () => {
    const certificate = await authority.issue("localhost", 0);
    await using proxy = await FaultyProxy.to("http://127.0.0.1:1", { tls: certificate });
    assertFails(await test(subjectAt(proxy.origin)), "tls", /expired on 20/, /certbot renew/);
  });

  it("names a certificate of an authority that nobody knows", async () => {
    const certificate = await authority.issue("localhost", 30);
    await using proxy = await FaultyProxy.to("http://127.0.0.1:1", { tls: certificate });
    const report = await test(subjectAt(proxy.origin));
    assertFails(report, "tls", /Nobody known vouches/, /fullchain\.pem[^]*DENO_CERT/);
  });

  it("names a certificate that is signed by itself", async () => {
    const { certFile, keyFile, remove } = await selfSignedCertificate();
    const [cert, key] = [await Deno.readTextFile(certFile), await Deno.readTextFile(keyFile)];
    await remove();
    await using proxy = await FaultyProxy.to("http://127.0.0.1:1", { tls: { cert, key } });
    assertFails(await test(subjectAt(proxy.origin)), "tls", /signed by itself/, /certbot/);
  });

  it("names a server that speaks no TLS at an https address", async () => {
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      () => new Response(),
    );
    const report = await test(subjectAt(`https://localhost:${server.addr.port}`));
    assertFails(report, "tls", /does not speak TLS/, /listen 443 ssl[^]*http:\/\//);
  });

  it("names a server that speaks TLS at an http address", async () => {
    const certificate = await authority.issue("localhost", 1);
    await using proxy = await FaultyProxy.to("http://127.0.0.1:1", { tls: certificate });
    const report = await test(subjectAt(proxy.origin.replace("https", "http")));
    assertFails(report, "page", /without an answer of HTTP/, /begin APP_URL with https/);
  });

  it("waits no longer than its patience for a server that says nothing", async () => {
    const server = net.createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const sockets: net.Socket[] = [];
    server.on("connection", (socket) => sockets.push(socket.on("error", () => {})));
    const { port } = server.address() as net.AddressInfo;
    const hasty = { patienceMs: 300 };
    try {
      const secure = await test(subjectAt(`https://localhost:${port}`), hasty);
      assertFails(secure, "tls", /then says nothing/, /PROXY protocol/);
      const plain = await test(subjectAt(`http://localhost:${port}`), hasty);
      assertFails(plain, "page", /no page comes/, /log of the proxy/);
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    }
  });

  it("tells an unknown name from a name server that does not answer", () => {
    const changeOf = (code: string) => {
      const verdict = nameVerdict("a.example.com", code, "APP_URL");
      return "change" in verdict ? verdict.change : "";
    };
    assert.match(changeOf("ENOTFOUND"), /A or AAAA record for a\.example\.com.*APP_URL/);
    assert.match(changeOf("EAI_AGAIN"), /resolv\.conf/);
    assert.match(changeOf("ETIMEDOUT"), /resolv\.conf/);
  });

  it("names the setting by which a hosted service is without TLS", () => {
    const verdict = handshakeVerdict("ws.example.com", "EPROTO", "PUSHER_SCHEME=http");
    assert.match("change" in verdict ? verdict.change : "", /PUSHER_SCHEME=http/);
  });
});
