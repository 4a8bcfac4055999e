import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { join } from "node:path";
import { connectRedis } from "@/realtime/cluster/redis/redis_connection.ts";
import { until } from "../../../fixtures/eventually.ts";
import { startRedis, startSentinel } from "../../../fixtures/redis.ts";
import { reservePort } from "../../../fixtures/reserved_port.ts";
import { CertificateAuthority } from "../../../fixtures/certificates.ts";
import { runFlags } from "../../../../tools/test/configuration.ts";

const password = "pass";
const protectedBy = {
  settings: { requirepass: password, masterauth: password },
  credentials: `default:${password}@`,
};

describe("the connection to Redis by Sentinel", () => {
  it("goes to the master, and to the next one when that dies, with its topics", async () => {
    const master = await startRedis(protectedBy);
    const replica = await startRedis({ ...protectedBy, replicaOf: master.port });
    const sentinel = await startSentinel({ master, replica, password });
    // The first of the sentinels is gone.
    const gone = `redis://127.0.0.1:${await reservePort()}`;
    const url = `${gone},${sentinel.address.replace("//", `//:${password}@`)}`;
    const redis = await connectRedis({ url, timeoutMs: 2_000, pingMs: 50 });
    try {
      const received: string[] = [];
      await redis.subscribe("topic", (message) => received.push(message));
      await redis.command(["SET", "key", "kept"]);
      await until(async () => await replica.command("GET", "key") === "kept");
      const before = redis.serverId;
      await master.kill();
      await until(async () => await sentinel.masterPort() === replica.port);
      await until(() => redis.isUp, "the connection went to the next master");
      assert.equal(await redis.command(["GET", "key"]), "kept");
      assert.equal(await redis.command(["PUBLISH", "topic", "message"]), 1);
      await until(() => received.length === 1);
      assert.notEqual(redis.serverId, before);
    } finally {
      await redis.close();
      await sentinel.stop();
      await replica.stop();
      await master.stop();
    }
  });

  it("leaves a master that lives on when another has its place", async () => {
    const master = await startRedis();
    const replica = await startRedis({ replicaOf: master.port });
    const sentinel = await startSentinel({ master, replica });
    const url = `${sentinel.address}?name=mymaster`;
    const redis = await connectRedis({ url, timeoutMs: 2_000, pingMs: 50 });
    try {
      const before = redis.serverId;
      master.freeze();
      await until(async () => await sentinel.masterPort() === replica.port);
      master.thaw();
      await until(() => redis.isUp && redis.serverId !== before);
      await redis.command(["SET", "key", "here"]);
      assert.equal(await replica.command("GET", "key"), "here");
    } finally {
      await redis.close();
      await sentinel.stop();
      await replica.stop();
      await master.stop();
    }
  });

  it("is refused at its start in one line by sentinels that do not know the name", async () => {
    const master = await startRedis();
    const sentinel = await startSentinel({ master });
    const gone = `redis://127.0.0.1:${await reservePort()}`;
    const url = `${gone}?name=other,${sentinel.address.replace("//", "//:secret@")}`;
    await assert.rejects(connectRedis({ url, timeoutMs: 5_000 }), ({ message }: Error) => {
      assert.match(
        message,
        /^No sentinel names the master other: 127.*: .*ECONNREFUSED.*; 127.*: it does not know this name$/,
      );
      assert.doesNotMatch(message, /secret/);
      return true;
    });
    await sentinel.stop();
    await master.stop();
  });
});

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
