import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { Finding } from "@/server/check/run_check.ts";
import { CertificateAuthority } from "../fixtures/certificates.ts";
import { type Finished, rollcall } from "../fixtures/command_line.ts";
import {
  type Faults,
  FaultyProxy,
  type Head,
  removeHeader,
  setHeader,
} from "../fixtures/faulty_proxy.ts";
import { Rollcall } from "../fixtures/rollcall.ts";

describe("rollcall check, behind a proxy that ends TLS", () => {
  const faults: Faults = { request: forwardClient };
  let authority: CertificateAuthority;
  let proxy: FaultyProxy;
  let server: Rollcall;

  beforeAll(async () => {
    authority = await CertificateAuthority.found();
    faults.tls = await authority.issue("localhost", 30);
    proxy = await FaultyProxy.to("http://127.0.0.1:1", faults);
    server = await Rollcall.start({ APP_URL: proxy.origin, TRUSTED_PROXIES: "127.0.0.1" });
    proxy.target = await server.listening();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
    await authority[Symbol.asyncDispose]();
  });

  function check(words: string[], settings: Record<string, string> = {}): Promise<Finished> {
    return rollcall(["check", "--idle", "0", ...words], {
      APP_URL: proxy.origin,
      DATA_DIR: server.dataFolder,
      DENO_CERT: authority.certFile,
      ...settings,
    });
  }

  it("passes every step and prints the report as JSON with --json", async () => {
    const { code, stdout, stderr } = await check(["--json"]);
    const { findings, address } = JSON.parse(stdout) as { findings: Finding[]; address: string };
    assert.deepEqual(findings.filter(({ state }) => state !== "ok"), []);
    const tls = findings.find(({ step }) => step === "tls");
    assert.match(tls?.found ?? "", /Valid for localhost until 20.*\(29 days left\)/);
    const clientAddress = findings.find(({ step }) => step === "client_address");
    assert.match(clientAddress?.found ?? "", /Trusted proxy/);
    assert.deepEqual([code, address, stderr], [0, proxy.origin, ""]);
  });

  it("prints the failing step with a fix, exits with 1 and prints no secret", async () => {
    faults.request = (head) => removeHeader(head, "upgrade");
    const { code, stdout, stderr } = await check([]);
    faults.request = forwardClient;
    assert.deepEqual([code, stderr], [1, ""]);
    assert.match(stdout, /^ok +TLS certificate +Valid for localhost/m);
    assert.match(
      stdout,
      /^FAILED +WebSocket +The WebSocket request is answered with status 400/m,
    );
    assert.match(stdout, /^ +→ nginx: `proxy_http_version 1\.1;/m);
    assert.match(stdout, /^ +→ https:\/\/[^/]+\/docs\/proxies#client-addresses$/m);
    assert.match(stdout, /^skipped +Connection +Fix “WebSocket” first\./m);
    assert.match(stdout, /\n2 of 13 checks failed: Client address, WebSocket\.\n$/);
    const kept = JSON.parse(await Deno.readTextFile(`${server.dataFolder}/secrets.json`));
    for (const secret of [kept.appSecret, kept.pusherSecret]) assert.ok(!stdout.includes(secret));
  });

  it("exits with 2 and one line for wrong flags", async () => {
    for (const words of [["--idle", "x"], ["--idle", "601"], ["--loud"], ["here"]]) {
      const { code, stdout, stderr } = await check(words);
      assert.deepEqual([code, stdout, stderr.trim().split("\n").length], [2, "", 1], stderr);
    }
  });

  it("takes --quiet for --idle", async () => {
    const { code, stderr } = await rollcall(["check", "--quiet", "601"], {});
    assert.equal(code, 2);
    assert.match(stderr, /^rollcall: --idle is "601"/);
  });

  it("exits with 1 and creates nothing when no server has run in DATA_DIR", async () => {
    const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
    const { code, stdout, stderr } = await check([], { DATA_DIR: folder });
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(
      stderr,
      /^rollcall: DATA_DIR: .* has no secrets yet; expected the folder of a server/,
    );
    assert.deepEqual([...Deno.readDirSync(folder)], []);
    await Deno.remove(folder);
  });
});

function forwardClient(head: Head): void {
  setHeader(head, "x-forwarded-for", "127.0.0.1");
}
