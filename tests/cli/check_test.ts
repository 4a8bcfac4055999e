import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { Finding } from "../../check/report.ts";
import { CertificateAuthority } from "../fixtures/certificate_authority.ts";
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
  const faults: Faults = { request: sayWhoAsks };
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
    return rollcall(["check", "--quiet", "0", ...words], {
      APP_URL: proxy.origin,
      DATA_DIR: server.dataFolder,
      DENO_CERT: authority.certFile,
      ...settings,
    });
  }

  it("passes every step, and says so to programs", async () => {
    const { code, stdout, stderr } = await check(["--json"]);
    const { findings, address } = JSON.parse(stdout) as { findings: Finding[]; address: string };
    assert.deepEqual(findings.filter(({ state }) => state !== "ok"), []);
    const tls = findings.find(({ step }) => step === "tls");
    assert.match(tls?.found ?? "", /valid for localhost until 20.*29 days from now/);
    const clientAddress = findings.find(({ step }) => step === "client_address");
    assert.match(clientAddress?.found ?? "", /The proxy is trusted/);
    assert.deepEqual([code, address, stderr], [0, proxy.origin, ""]);
  });

  it("says which step fails and what to change, with exit code 1, and shows no secret", async () => {
    faults.request = (head) => removeHeader(head, "upgrade");
    const { code, stdout, stderr } = await check([]);
    faults.request = sayWhoAsks;
    assert.deepEqual([code, stderr], [1, ""]);
    assert.match(stdout, /^ok +TLS certificate +The certificate is valid for localhost/m);
    assert.match(
      stdout,
      /^FAILED +Socket upgrade +A socket is asked for and answered with status 400/m,
    );
    assert.match(stdout, /^ +→ nginx: `proxy_http_version 1\.1;/m);
    assert.match(stdout, /^not tried +Connection +“Socket upgrade” has to be right first\./m);
    assert.match(stdout, /\n2 of 13 steps failed: Client address, Socket upgrade\.\n$/);
    const kept = JSON.parse(await Deno.readTextFile(`${server.dataFolder}/secrets.json`));
    for (const secret of [kept.appSecret, kept.pusherSecret]) assert.ok(!stdout.includes(secret));
  });

  it("refuses wrong flags with exit code 2", async () => {
    for (const words of [["--quiet", "x"], ["--quiet", "601"], ["--loud"], ["here"]]) {
      const { code, stdout, stderr } = await check(words);
      assert.deepEqual([code, stdout, stderr.trim().split("\n").length], [2, "", 1], stderr);
    }
  });

  it("needs the data of a server that has run, and makes none", async () => {
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

function sayWhoAsks(head: Head): void {
  setHeader(head, "x-forwarded-for", "127.0.0.1");
}
