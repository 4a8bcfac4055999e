import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Core } from "@/server/core.ts";
import { HealthMeter, limitText } from "@/server/live_view/health_meter.ts";
import { onlyServer, type Servers } from "@/server/presence/servers.ts";
import type { LogEntry, RealtimeServer } from "@/realtime/server.ts";
import { until } from "../../fixtures/eventually.ts";
import { FakeServers, partOf } from "../../fixtures/doubles.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import type { Health } from "@/shared/servers.ts";
import { versionText } from "@/server/observability/commit.ts";

/** A meter of a server that the test moves by hand. */
function simulate(servers: Servers = onlyServer) {
  const clock = new ManualClock();
  const traffic = { received: 0, sent: 0, sentBytes: 0 };
  const app = { traffic: () => traffic, connections: new Map([["1.1", {}], ["1.2", {}]]) };
  // It has what the meter reads of a server, and nothing else.
  const realtime = {
    apps: [app, app],
    refusals: () => ({ frameBytes: 2, errors: 0, channels: 1 }),
  } as unknown as RealtimeServer;
  const published: Health[] = [];
  const logged: LogEntry[] = [];
  const page = { watched: true, publish: (health: Health) => void published.push(health) };
  const core: Core = partOf({
    realtime,
    servers,
    database: partOf({ outages: partOf({ current: null }) }),
    ownApp: partOf({ isOccupied: () => page.watched }),
    broadcastHere: (_channel, _name, payload) => page.publish(payload as Health),
  });
  const meter = new HealthMeter(core, ["admin"], (entry) => logged.push(entry), clock);
  return { clock, traffic, published, logged, page, meter };
}

describe("the health meter", () => {
  it("publishes the server's health every five seconds", async () => {
    const { clock, traffic, published, meter } = simulate();
    assert.equal((await meter.measure()).messagesPerSecond, null);
    Object.assign(traffic, { received: 10, sent: 40 });
    clock.advance(5_000);
    await until(() => published.length === 1);
    clock.advance(5_000);
    await until(() => published.length === 2);
    assert.deepEqual(
      published.map((health) => ({ ...health, memoryBytes: 0 })),
      [20, 0].map(
        (messagesPerSecond, index) => ({
          at: clock.date() - 5_000 + index * 5_000,
          uptimeSeconds: 5 + index * 5,
          connections: 4,
          messagesPerSecond,
          refusals: { "frame bytes": 2, channels: 1 },
          memoryBytes: 0,
          version: versionText,
          outage: null,
          servers: null,
        }),
      ),
    );
    assert.ok(published[0].memoryBytes > 1_000_000);
    meter.stop();
    assert.equal(clock.timers, 0);
  });

  it("publishes nothing while no page is open, and keeps the rate right", async () => {
    const { clock, traffic, published, page, meter } = simulate();
    page.watched = false;
    Object.assign(traffic, { received: 5 });
    clock.advance(5_000);
    const { messagesPerSecond } = await meter.measure();
    assert.deepEqual([published.length, messagesPerSecond], [0, 2]);
  });

  it("has no rate below 0 when the traffic of a removed app is no longer counted", async () => {
    const { clock, traffic, published } = simulate();
    Object.assign(traffic, { sent: 100 });
    clock.advance(5_000);
    await until(() => published.length === 1);
    Object.assign(traffic, { sent: 0 });
    clock.advance(5_000);
    await until(() => published.length === 2);
    assert.deepEqual(published.map(({ messagesPerSecond }) => messagesPerSecond), [40, 0]);
  });

  it("logs a failure to publish, and publishes again the next time", async () => {
    const { clock, published, logged, page } = simulate();
    const { publish } = page;
    page.publish = () => {
      throw new Error("too large");
    };
    clock.advance(5_000);
    await until(() => logged.length === 1);
    page.publish = publish;
    clock.advance(5_000);
    await until(() => published.length === 1);
  });

  it("publishes at once when the servers of the installation change, and no more once stopped", async () => {
    const servers = new FakeServers();
    const { clock, published, meter } = simulate(servers);
    servers.change({ alive: { alive: 2, known: 3 } });
    clock.advance(0);
    await until(() => published.length === 1);
    assert.deepEqual([published[0].servers?.alive, published[0].servers?.known], [2, 3]);
    servers.change({ staleSince: 7 });
    meter.stop();
    assert.equal(servers.listeners, 0);
    assert.equal((await meter.measure()).servers?.staleSince, 7);
    assert.equal(published.length, 1);
  });

  it("names limits in words, with what to do about some", () => {
    assert.equal(limitText("connectionsOfApp"), "connections per app");
    assert.match(limitText("connectionsOfAddress"), /^connections per address: .*TRUSTED_PROXIES;/);
  });
});
