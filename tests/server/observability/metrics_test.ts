import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import {
  addAlertMetrics,
  addServerMetrics,
  addWebhookMetrics,
} from "@/server/observability/server_metrics.ts";
import { addCountedUsers } from "@/server/observability/realtime_metrics.ts";
import { onlyServer, type Servers } from "@/server/presence/servers.ts";
import { maxConnectionsWithin, watchEventLoop } from "@/server/observability/process_metrics.ts";
import { metricsOfAll } from "@/server/observability/metrics.ts";
import { FakeServers } from "../../fixtures/doubles.ts";
import { ReadMetrics } from "../../fixtures/metrics.ts";
import { WebhookSimulation } from "../../realtime/webhooks/simulation.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

/** The metrics by name. */
async function read(servers: Servers): Promise<Record<string, number>> {
  const registry = new Registry();
  addServerMetrics(registry, servers);
  const lines = (await registry.metrics()).split("\n").filter((line) => /^rollcall/.test(line));
  return Object.fromEntries(
    lines.map((line) => line.split(" ")).map(([name, value]) => [name, Number(value)]),
  );
}

describe("the metrics of several servers", () => {
  it("are how many answer, whether Redis does, whether this server is the leader and what it cannot read", async () => {
    const servers = new FakeServers();
    assert.deepEqual(await read(servers), {
      rollcall_servers: 3,
      rollcall_servers_known: 3,
      rollcall_redis_up: 1,
      rollcall_leader: 0,
      'rollcall_ignored_messages_total{reason="malformed"}': 0,
      'rollcall_ignored_messages_total{reason="unknown"}': 0,
    });
    servers.change({
      alive: { alive: 2, known: 3 },
      staleSince: 7,
      isLeader: true,
      ignoredMessages: { malformed: 2, unknown: 5 },
    });
    assert.deepEqual(await read(servers), {
      rollcall_servers: 2,
      rollcall_servers_known: 3,
      rollcall_redis_up: 0,
      rollcall_leader: 1,
      'rollcall_ignored_messages_total{reason="malformed"}': 2,
      'rollcall_ignored_messages_total{reason="unknown"}': 5,
    });
  });

  it("are absent where there can be one server only", async () => {
    assert.deepEqual(await read(onlyServer), {});
  });
});

describe("the metrics of counted channels", () => {
  it("tell guests and active users among all users", async () => {
    const registry = new Registry();
    const of = (channel: string, guests?: number, active: number | null = null) => (
      { appId: "1", channel, presence: { counts: { users: 235, guests }, active } }
    );
    addCountedUsers(registry, [of("presence-chart", 204, 21), of("presence-orders")]);
    const read = new ReadMetrics(await registry.metrics());
    const valueOf = (name: string, channel: string) =>
      read.value(`rollcall_${name}`, { app: "1", channel });
    const names = ["users", "guests", "active_users"];
    assert.deepEqual(names.map((name) => valueOf(name, "presence-chart")), [235, 204, 21]);
    assert.equal(valueOf("guests", "presence-orders"), 0);
    assert.deepEqual(read.labels("rollcall_active_users"), [
      { app: "1", channel: "presence-chart" },
    ]);
  });
});

describe("the metrics of webhooks", () => {
  it("count waiting, delivered and dropped events", async () => {
    const simulation = new WebhookSimulation({ limits: { keepMs: 1_000 } });
    const registry = new Registry();
    addWebhookMetrics(registry, simulation.webhooks);
    const read = async () => new ReadMetrics(await registry.metrics());
    simulation.happens(1);
    simulation.happens(2);
    const waiting = await read();
    assert.equal(waiting.value("rollcall_webhook_receivers"), 1);
    assert.equal(waiting.value("rollcall_webhook_queued_events"), 2);
    assert.ok(waiting.value("rollcall_webhook_queued_bytes") > 0);
    for (const name of ["pending_departures", "awaited_returns"]) {
      assert.equal(waiting.value(`rollcall_webhook_${name}`), 0);
    }

    await simulation.advance(100);
    await simulation.last.answer(200);
    simulation.happens(3);
    await simulation.advance(100);
    await simulation.last.answer(500);
    await simulation.advance(2_000);
    const after = await read();
    assert.equal(after.value("rollcall_webhook_queued_events"), 0);
    assert.equal(after.value("rollcall_webhook_delivered_events_total"), 2);
    assert.ok(after.value("rollcall_webhook_failed_attempts_total") >= 1);
    const lost = after.labels("rollcall_webhook_dropped_events_total")
      .map((labels) => after.value("rollcall_webhook_dropped_events_total", labels));
    assert.equal(lost.reduce((sum, value) => sum + value, 0), 1);
    await simulation.webhooks.stop();
  });
});

describe("the metrics of alerts", () => {
  it("count waiting, delivered and failed messages", async () => {
    const registry = new Registry();
    const givenUp = { expired: 1, queueFull: 5, unreadable: 0 };
    const stats = { waiting: 4, delivered: 3, failedAttempts: 2, givenUp };
    addAlertMetrics(registry, { stats });
    const read = new ReadMetrics(await registry.metrics());
    assert.deepEqual(
      ["waiting", "delivered_total", "failed_attempts_total"]
        .map((name) => read.value(`rollcall_alert_${name}`)),
      [4, 3, 2],
    );
    assert.deepEqual(
      Object.keys(givenUp).map((reason) => read.value("rollcall_alert_given_up_total", { reason })),
      [1, 5, 0],
    );
  });
});

async function lag(registry: Registry): Promise<{ count?: number; sum?: number }> {
  const { all } = new ReadMetrics(await registry.metrics());
  return all[0].metrics[0];
}

describe("the event loop lag", () => {
  it("is the delay of a timer, measured ten times a second", async () => {
    const registry = new Registry();
    const clock = new ManualClock();
    let late = 0;
    const blocked = { after: clock.after.bind(clock), now: () => clock.now() + late };
    const { stop } = watchEventLoop(registry, blocked);
    clock.advance(1_000);
    assert.equal((await lag(registry)).count, 10);
    assert.equal((await lag(registry)).sum, 0);
    late = 250;
    clock.advance(100);
    assert.equal((await lag(registry)).sum, 0.25);
    stop();
    assert.equal(clock.timers, 0);
  });

  it("shows a blocked event loop, and leaves no timer when the measurement stops", async () => {
    const registry = new Registry();
    const { stop } = watchEventLoop(registry);
    const end = performance.now() + 300;
    while (performance.now() < end);
    await new Promise((resolve) => setTimeout(resolve));
    const { count, sum = 0 } = await lag(registry);
    stop();
    assert.equal(count, 1);
    assert.ok(sum >= 0.19 && sum < 5, `${sum}`);
  });
});

describe("the maximum of connections", () => {
  const rows: [what: string, set: number | undefined, limit: number | undefined, most: number][] = [
    ["the default, with files enough", undefined, 100_000, 50_000],
    ["the default, where no limit is known", undefined, undefined, 50_000],
    ["what the files leave room for", undefined, 1_024, 924],
    ["one at least", undefined, 50, 1],
    ["what the operator has set, whatever the files", 2_000, 1_024, 2_000],
  ];
  for (const [what, set, limit, most] of rows) {
    it(`is ${what}`, () => assert.equal(maxConnectionsWithin(set, 50_000, limit), most));
  }
});

/** The metrics of a worker. */
async function metricsOf(worker: number, value: number) {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({ name: "plain", help: "Without labels", registers }).set(value);
  new Counter({ name: "labelled_total", help: 'With "labels"', labelNames: ["app"], registers })
    .inc({ app: 'a "b" {c}' }, value);
  new Histogram({ name: "seconds", help: "Of several lines", buckets: [1], registers })
    .observe(value);
  if (worker === 2) new Gauge({ name: "of_one", help: "Which one has", registers }).set(-0.5);
  return { worker, text: await registry.metrics() };
}

describe("the metrics of several workers", () => {
  it("are those of one program, each with the number of its worker", async () => {
    const all = [await metricsOf(2, 3), await metricsOf(1, 0.5)];
    assert.equal(
      metricsOfAll(all),
      `# HELP plain Without labels
# TYPE plain gauge
plain{worker="1"} 0.5
plain{worker="2"} 3

# HELP labelled_total With "labels"
# TYPE labelled_total counter
labelled_total{worker="1",app="a \\"b\\" {c}"} 0.5
labelled_total{worker="2",app="a \\"b\\" {c}"} 3

# HELP seconds Of several lines
# TYPE seconds histogram
seconds_bucket{worker="1",le="1"} 1
seconds_bucket{worker="1",le="+Inf"} 1
seconds_sum{worker="1"} 0.5
seconds_count{worker="1"} 1
seconds_bucket{worker="2",le="1"} 0
seconds_bucket{worker="2",le="+Inf"} 1
seconds_sum{worker="2"} 3
seconds_count{worker="2"} 1

# HELP of_one Which one has
# TYPE of_one gauge
of_one{worker="2"} -0.5
`,
    );
  });
});
