import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Registry } from "prom-client";
import { addRealtimeMetrics } from "@/server/observability/realtime_metrics.ts";
import { ReadMetrics } from "../../fixtures/metrics.ts";
import { app, Harness, until } from "../../realtime/harness.ts";

/** The current metrics of a harness's server. */
async function readFrom(harness: Harness): Promise<ReadMetrics> {
  const registry = new Registry();
  addRealtimeMetrics(registry, harness.realtime);
  return new ReadMetrics(await registry.metrics());
}

const labels = { app: app.id };

describe("the metrics of the realtime server", () => {
  it("count connections, channels, subscriptions, members and messages", async () => {
    await using harness = new Harness();
    const [ada, ben] = [await harness.member("ada"), await harness.connect()];
    ada.subscribe("news");
    await ada.settled();
    ben.subscribe("news");
    await ben.settled();
    const before = await readFrom(harness);
    assert.equal(before.value("rollcall_apps"), 1);
    assert.equal(before.value("rollcall_connections", labels), 2);
    assert.equal(before.value("rollcall_channels", labels), 2);
    assert.equal(before.value("rollcall_subscriptions", labels), 3);
    assert.equal(before.value("rollcall_members", labels), 1);
    // Ada sent two subscriptions and a ping, Ben a subscription and a ping.
    assert.equal(before.value("rollcall_messages_received_total", labels), 5);
    // Each was answered, and each connection was established.
    assert.equal(before.value("rollcall_messages_sent_total", labels), 7);

    harness.app.publish("news", "update", "ü", ada.socketId);
    const [{ event }] = await ben.settled();
    assert.equal(event, "update");
    const after = await readFrom(harness);
    const [sent, bytes] = ["rollcall_messages_sent_total", "rollcall_sent_bytes_total"]
      .map((name) => after.value(name, labels) - before.value(name, labels));
    const frames = [
      '{"event":"update","channel":"news","data":"ü"}',
      '{"event":"pusher:pong","data":"{}"}',
    ];
    assert.equal(sent, frames.length);
    assert.equal(bytes, new TextEncoder().encode(frames.join("")).length);
  });

  it("keep the counts of closed connections", async () => {
    await using harness = new Harness();
    const client = await harness.connect();
    await client.settled();
    const sent = async () =>
      (await readFrom(harness)).value("rollcall_messages_sent_total", labels);
    assert.equal(await sent(), 2);
    client.close();
    await until(() => harness.realtime.stats().connections === 0);
    assert.equal(await sent(), 2);
  });

  it("count refusals by limit, which the log has with the socket id", async () => {
    const lines: unknown[] = [];
    await using harness = new Harness({
      maxSubscriptionsPerConnection: 1,
      log: (line) => lines.push(line),
    });
    const client = await harness.connect();
    client.subscribe("one");
    client.subscribe("two");
    await client.settled();
    const read = await readFrom(harness);
    const limit = "subscriptionsOfConnection";
    assert.equal(read.value("rollcall_refusals_total", { limit }), 1);
    assert.equal(read.value("rollcall_refusals_total", { limit: "channels" }), 0);
    const { socketId } = client;
    assert.deepEqual(lines, [{ level: "warn", message: "Limit exceeded", limit, socketId }]);
  });

  it("have the size of everything in memory, for each app", async () => {
    const apps = [app, { id: "2", key: "second", secret: "another secret" }];
    await using harness = new Harness({ apps });
    await harness.connect("second");
    const read = await readFrom(harness);
    assert.equal(read.value("rollcall_connections", { app: "1" }), 0);
    assert.equal(read.value("rollcall_connections", { app: "2" }), 1);
    assert.equal(read.value("rollcall_kept_entries", { kind: "sockets" }), 1);
    const named = new Set([
      "connections",
      "channels",
      "subscriptions",
      "members",
      "cachedBytes",
      "refusals",
      ...read.labels("rollcall_kept_entries").map(({ kind }) => kind),
    ]);
    assert.deepEqual([...named].sort(), Object.keys(harness.realtime.stats()).sort());
  });
});
