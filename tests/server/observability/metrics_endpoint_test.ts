import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import PusherServer from "pusher";
import { version } from "@/shared/version.ts";
import { commit } from "@/server/observability/commit.ts";
import { shims } from "@/server/observability/shims.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ReadMetrics } from "../../fixtures/metrics.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { clientOf, heard } from "../../realtime/pusher_clients.ts";
import { app, until } from "../../realtime/harness.ts";

const token = "a-token-of-the-tests";
const labels = { app: app.id };

describe("/metrics", () => {
  let server: Rollcall;
  let port: number;
  const read = () => ReadMetrics.of(server.origin, token);

  beforeAll(async () => {
    server = await Rollcall.start({
      PUSHER_APP_ID: app.id,
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
      METRICS_TOKEN: token,
    });
    port = Number(new URL(server.origin).port);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("answers 200 with the token and 401 without it", async () => {
    const wrong = [
      "",
      "Bearer",
      "Bearer ",
      `Basic ${token}`,
      `Bearer ${token}x`,
      `Bearer ${token} x`,
    ];
    for (const authorization of wrong) {
      const response = await fetch(`${server.origin}/metrics`, { headers: { authorization } });
      assert.equal(response.status, 401, authorization);
      assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer realm=/);
      assert.doesNotMatch(await response.text(), /rollcall_/);
    }
    const headers = { authorization: `bearer ${token}` };
    const right = await fetch(`${server.origin}/metrics`, { headers });
    assert.equal(right.status, 200);
    assert.match(right.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
    assert.equal(right.headers.get("cache-control"), "no-store");
    assert.equal(right.headers.get("set-cookie"), null);
    await right.body?.cancel();
  });

  it("answers 404 when METRICS_TOKEN is not set", async () => {
    await using other = await Rollcall.start();
    const headers = { authorization: "Bearer undefined" };
    const response = await fetch(`${other.origin}/metrics`, { headers });
    assert.equal(response.status, 404);
    await response.body?.cancel();
  });

  it("counts what clients and servers did", async () => {
    const before = await read();
    await using client = clientOf({ port }, "ada");
    const events = await heard(client, ["news", "presence-room"]);
    const { id: appId, key, secret } = app;
    const library = new PusherServer({ appId, key, secret, host: "127.0.0.1", port: `${port}` });
    await library.trigger("news", "update", { text: "hello" });
    await until(() => events.length === 1);
    const after = await read();
    assert.equal(after.value("rollcall_connections", labels), 1);
    assert.equal(after.value("rollcall_channels", labels), 2);
    assert.equal(after.value("rollcall_subscriptions", labels), 2);
    assert.equal(after.value("rollcall_members", labels), 1);
    const more = (name: string, labels: Record<string, string>) =>
      after.value(name, labels) - before.value(name, labels);
    assert.equal(more("rollcall_messages_received_total", labels), 2);
    // Connection established, two subscriptions and the event; no member_added for the own member.
    assert.equal(more("rollcall_messages_sent_total", labels), 4);
    assert.ok(more("rollcall_sent_bytes_total", labels) > 200);
    assert.equal(after.value("rollcall_http_requests_total", { route: "api", status: "200" }), 1);
    assert.equal(
      after.value("rollcall_http_requests_total", { route: "socket", status: "101" }),
      1,
    );
  });

  it("counts sign-ins by outcome", async () => {
    const outcome = "wrong_credentials";
    const before = await read();
    assert.equal(before.value("rollcall_sign_ins_total", { outcome }), 0);
    const stranger = new HttpVisitor(server.origin);
    await stranger.signIn({ email: "unknown@example.com", password: "wrong password" });
    const after = await read();
    assert.equal(after.value("rollcall_sign_ins_total", { outcome }), 1);
    const route = { route: "page", status: "422" };
    assert.equal(after.value("rollcall_http_requests_total", route), 1);
  });

  it("says whether shims are running, as one line of the log does", async () => {
    const [info] = (await read()).labels("rollcall_info");
    assert.equal(info.packages, shims.length > 0 ? "shims" : "jsr");
    const warnings = server.log.split("\n").filter((line) => /WARN .*shims/.test(line));
    assert.equal(warnings.length, shims.length > 0 ? 1 : 0, server.log);
    for (const warning of warnings) assert.match(warning, /install:production.*before the build/);
  });

  it("says which version and commit runs, as the start line of the log does", async () => {
    const [info] = (await read()).labels("rollcall_build_info");
    assert.deepEqual(info, { version, commit: commit ?? "unknown" });
    const started = server.log.split("\n").find((line) => line.includes("Started"))!;
    assert.ok(started.includes(info.commit), started);
  });

  it("has metrics of the process and its event loop", async () => {
    const first = await read();
    assert.ok(first.value("process_resident_memory_bytes") > 10_000_000);
    assert.ok(first.value("process_cpu_seconds_total") > 0);
    assert.ok(first.value("rollcall_uptime_seconds") > 0);
    const [info] = first.labels("rollcall_info");
    assert.equal(info.deno, Deno.version.deno);
    assert.match(info.version, /^\d+\.\d+\.\d+/);
    const lag = "rollcall_event_loop_lag_seconds";
    await until(
      async () => (await read()).value(lag) !== first.value(lag),
      "another lag was measured",
    );
  });
});
