import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { CertificateAuthority } from "../fixtures/certificate.ts";
import { rollcall } from "../fixtures/command_line.ts";
import { FaultyProxy } from "../fixtures/faulty_proxy.ts";
import { Rollcall } from "../fixtures/rollcall.ts";

describe("rollcall check", () => {
  it("passes every hop behind a proxy that ends TLS, and says so to programs", async () => {
    await using authority = await CertificateAuthority.found();
    const tls = await authority.issue("localhost", 30);
    await using proxy = await FaultyProxy.to("http://127.0.0.1:1", { tls });
    await using server = await Rollcall.start({ APP_URL: proxy.origin });
    proxy.target = server.origin.replace("https", "http");
    const settings = { APP_URL: proxy.origin, DATA_DIR: server.dataFolder };
    const { code, stdout, stderr } = await rollcall(["check", "--json", "--quiet", "0"], {
      ...settings,
      DENO_CERT: authority.certFile,
    });
    const report = JSON.parse(stdout);
    const states = report.findings.map(({ hop, state }: Record<string, string>) => [hop, state]);
    const { client_address: address, ...others } = Object.fromEntries(states);
    assert.deepEqual([...new Set(Object.values(others))], ["ok"], stdout);
    // This proxy does not say who asks.
    assert.deepEqual([address, code, report.ok, stderr], ["failed", 1, false, ""]);
    assert.match(
      report.findings.find(({ hop }: { hop: string }) => hop === "tls").found,
      /29 days/,
    );
  });
});
