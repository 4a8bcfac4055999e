import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "@std/testing/bdd";
import { CertificateAuthority } from "../../../fixtures/certificates.ts";
import { startRedis } from "../../../fixtures/redis.ts";
import { reservePort } from "../../../fixtures/reserved_port.ts";
import { runFlags } from "../../../../tools/test/configuration.ts";

const program = new URL("tls_program.ts", import.meta.url).pathname;

/** What a process prints that trusts an authority, or none but the known ones. */
async function answerTo(url: string, authority?: string): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [...runFlags, "--no-check", "-A", program, url],
    env: { NO_COLOR: "1", ...(authority && { DENO_CERT: authority }) },
  }).output();
  return new TextDecoder().decode(stdout).trimEnd();
}

describe("the connection to Redis over TLS", () => {
  it("is made to a server whose certificate a trusted authority signed for its name, and to no other", async () => {
    await using authority = await CertificateAuthority.found();
    const folder = await Deno.makeTempDir({ prefix: "redis-tls-" });
    const [cert, key] = ["cert.pem", "key.pem"].map((name) => join(folder, name));
    const issued = await authority.issue("localhost", 1);
    await Deno.writeTextFile(cert, issued.cert);
    await Deno.writeTextFile(key, issued.key);
    const port = await reservePort();
    const server = await startRedis({
      settings: {
        "tls-port": String(port),
        "tls-auth-clients": "no",
        "tls-cert-file": cert,
        "tls-key-file": key,
        "tls-ca-cert-file": authority.certFile,
      },
    });
    try {
      const url = `rediss://:secret@localhost:${port}`;
      await server.command("CONFIG", "SET", "requirepass", "secret");
      assert.equal(await answerTo(url, authority.certFile), "PONG");
      const otherName = url.replace("localhost", "127.0.0.1");
      for (const refused of [await answerTo(url), await answerTo(otherName, authority.certFile)]) {
        assert.match(refused, /^Redis at [\w.]+:\d+: .*[Cc]ertificate[^\n]*$/);
        assert.doesNotMatch(refused, /secret/);
      }
    } finally {
      await server.stop();
      await Deno.remove(folder, { recursive: true });
    }
  });
});
