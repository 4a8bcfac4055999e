import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { ReadMetrics } from "../../fixtures/metrics.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { Client } from "../../realtime/harness.ts";
import { serveCommand } from "../../fixtures/program.ts";

const token = "a-token-of-the-tests";
const app = { key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };

/** Opens idle connections until the server refuses one, which must happen within the count. */
async function idleConnections(port: number, count: number): Promise<Deno.Conn[]> {
  const connections: Deno.Conn[] = [];
  try {
    while (connections.length < count) {
      connections.push(await Deno.connect({ hostname: "127.0.0.1", port }));
    }
  } catch {
    // Refused, or reset while it waited to be accepted.
  }
  return connections;
}

describe("a server whose file descriptors are all taken by idle connections", () => {
  it("serves the sockets that it has, and accepts others again when they are gone", async () => {
    const limited = ["sh", "-c", 'ulimit -n 300 && exec "$0" "$@"', ...serveCommand];
    await using server = await Rollcall.startCommand(limited, {
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
      METRICS_TOKEN: token,
    });
    assert.match(
      server.log,
      /INFO +server: The limit of open files lowers .* limit=300 maxConnections=200/,
    );
    assert.doesNotMatch(server.log, /MAX_CONNECTIONS exceeds/);
    const { host, port } = new URL(server.origin);
    const client = new Client(new WebSocket(`ws://${host}/app/${app.key}?protocol=7`));
    await client.next("pusher:connection_established");

    const idle = await idleConnections(Number(port), 400);
    await server.printed(/New connections are refused reason=".*Too many open files/);
    client.send("pusher:ping", {});
    await client.next("pusher:pong");
    const refused = Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
    await assert.rejects(refused, Deno.errors.ConnectionRefused);
    assert.doesNotMatch(server.log, /accepted again/);

    for (const connection of idle) connection.close();
    await server.printed(/New connections are accepted again/);
    const metrics = await ReadMetrics.of(server.origin, token);
    assert.ok(metrics.value("rollcall_listener_interruptions_total") >= 1);
    assert.equal(metrics.value("process_max_fds"), 300);
    assert.ok(metrics.value("process_open_fds") < 150);
    client.send("pusher:ping", {});
    await client.next("pusher:pong");
    client.close();
    await client.closed;
    assert.equal((await server.stop()).code, 0);
  });
});

describe("a server whose MAX_CONNECTIONS exceeds its limit of open files", () => {
  it("warns, and names both", async () => {
    const limited = ["sh", "-c", 'ulimit -n 300 && exec "$0" "$@"', ...serveCommand];
    await using server = await Rollcall.startCommand(limited, { MAX_CONNECTIONS: "400" });
    assert.match(
      server.log,
      /WARN +server: MAX_CONNECTIONS exceeds .* limit=300 maxConnections=400/,
    );
    assert.equal((await server.stop()).code, 0);
  });
});
