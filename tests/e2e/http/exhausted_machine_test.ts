import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { ReadMetrics } from "../../fixtures/metrics.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { Client } from "../../realtime/harness.ts";
import { serveCommand } from "../../fixtures/program.ts";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ada } from "../../fixtures/people.ts";

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

/** Lets the server write files, or makes each write fail as one to a broken disk does. */
async function setWritable(server: Rollcall, isWritable: boolean): Promise<void> {
  const args = [`--fsize=${isWritable ? "unlimited" : "0"}:unlimited`, "--pid", `${server.pid}`];
  const { success } = await new Deno.Command("prlimit", { args }).output();
  assert.ok(success);
}

describe("a server whose disk takes no more data", () => {
  it("keeps the count right, reports the fault to everyone, and stores what it could not", async () => {
    const command = ["sh", "-c", 'trap "" XFSZ; exec "$0" "$@"', ...serveCommand];
    await using server = await Rollcall.startCommand(command, {
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
      METRICS_TOKEN: token,
      DRAIN_MS: "0",
    });
    const admin = new HttpVisitor(server.origin);
    await admin.setUp(await server.setupToken(), ada);
    const up = async () => (await admin.get("/up")).text;

    await setWritable(server, false);
    await using _member = await AdmittedSocket.joinAs(server, app, "shop-17");
    await server.printed(/ERROR server: The database cannot be written .*reason="its disk fails"/);
    assert.equal(await up(), "up, but the database cannot be written: its disk fails\n");
    const metrics = await ReadMetrics.of(server.origin, token);
    assert.equal(metrics.value("rollcall_database_up"), 0);

    const visitor = new HttpVisitor(server.origin);
    const signedIn = await visitor.signIn(ada);
    assert.equal(signedIn.status, 503);
    assert.equal(signedIn.headers.get("retry-after"), "5");
    assert.match(signedIn.text, /<h1[^>]*>Temporarily unavailable/);
    const live = (await admin.get("/admin/online")).text;
    assert.match(live, /The database cannot be written: its disk fails\./);
    assert.match(live, /href="\/docs\/monitoring#when-the-database-is-away"/);
    assert.match(live, /shop-17/);

    await setWritable(server, true);
    await server.printed(/The database works again/);
    assert.equal(await up(), "up\n");
    assert.equal((await visitor.signIn(ada)).status, 303);
    assert.match((await admin.get("/admin/activity")).text, /shop-17/);
    assert.doesNotMatch(
      (await admin.get("/admin/online")).text,
      /cannot be written|database-is-away/,
    );
    assert.doesNotMatch(server.log, /cannot rollback|^ {4}at /m);
  });
});
