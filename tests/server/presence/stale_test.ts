import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { onlineChannel } from "@/server/presence/channels.ts";
import { announceStale, onlyServer, type Servers } from "@/server/presence/servers.ts";
import { appSettings } from "@/realtime/app_config.ts";
import type { PresenceListener, SubscriptionListener } from "@/realtime/server.ts";
import { FakeServers } from "../../fixtures/fake_servers.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

const own = appSettings({ id: "own", key: "", secret: "" });

function simulate(servers: Servers) {
  const clock = new ManualClock();
  const sent: unknown[] = [];
  const subscriptions = new Set<SubscriptionListener>();
  const waits = new Set<PresenceListener>();
  const stop = announceStale({
    servers,
    clock,
    ownApp: () => ({
      settings: own,
      listeners: {
        presence: {
          add(channel, listener) {
            assert.equal(channel, onlineChannel);
            waits.add(listener);
            return () => waits.delete(listener);
          },
        },
      },
    }),
    realtime: {
      onSubscription(listener) {
        subscriptions.add(listener);
        return () => subscriptions.delete(listener);
      },
    },
    broadcastHere: (channel, name, payload) => sent.push([channel, name, payload]),
  });
  const join = (channel = onlineChannel, app = own) => {
    for (const listener of subscriptions) listener(channel, app);
  };
  const wait = () => {
    for (const listener of waits) listener({ users: 1, connections: 2 });
  };
  const times = () =>
    sent.splice(0).map((event) => {
      const [channel, name, { since }] = event as [string, string, { since: number | null }];
      assert.deepEqual([channel, name], [onlineChannel, "Stale"]);
      return since;
    });
  return { clock, join, wait, waits, times, stop, subscriptions };
}

describe("pages of a server that loses the others", () => {
  it("are notified when its numbers begin to stand still, and when they change again", () => {
    const servers = new FakeServers();
    const { times } = simulate(servers);
    servers.change({ alive: { alive: 2, known: 3 } });
    assert.deepEqual(times(), []);
    servers.change({ staleSince: 7 });
    servers.change({ alive: { alive: 1, known: 3 } });
    assert.deepEqual(times(), [7]);
    servers.change({ staleSince: undefined });
    assert.deepEqual(times(), [null]);
  });

  it("are notified when they join meanwhile: the first at once, others together a second later", () => {
    const servers = new FakeServers();
    const { clock, join, times } = simulate(servers);
    join();
    assert.deepEqual(times(), []);
    servers.change({ staleSince: 7 });
    times();
    for (let page = 0; page < 9; page++) join();
    assert.deepEqual(times(), [7]);
    clock.advance(1_000);
    assert.deepEqual(times(), [7]);
    clock.advance(1_000);
    assert.deepEqual([times(), clock.timers], [[], 0]);
    join();
    assert.deepEqual(times(), [7]);
  });

  it("are notified when they wait to join, which they cannot meanwhile", () => {
    const servers = new FakeServers();
    const { times, wait } = simulate(servers);
    wait();
    assert.deepEqual(times(), []);
    servers.change({ staleSince: 7 });
    times();
    wait();
    assert.deepEqual(times(), [7]);
  });

  it("are not notified of the past when numbers change again before the second is over", () => {
    const servers = new FakeServers();
    const { clock, join, times } = simulate(servers);
    servers.change({ staleSince: 7 });
    join();
    join();
    servers.change({ staleSince: undefined });
    assert.deepEqual(times(), [7, 7, null]);
    clock.advance(1_000);
    assert.deepEqual(times(), []);
  });

  it("are not notified when a page joins another channel, or one of another app", () => {
    const servers = new FakeServers();
    const { join, times } = simulate(servers);
    servers.change({ staleSince: 7 });
    times();
    join("presence-orders");
    join(onlineChannel, appSettings({ id: "another", key: "", secret: "" }));
    assert.deepEqual(times(), []);
  });

  it("are not notified after the end, and no timer is left", () => {
    const servers = new FakeServers();
    const { clock, join, stop, times, waits } = simulate(servers);
    servers.change({ staleSince: 7 });
    join();
    times();
    stop();
    servers.change({ staleSince: undefined });
    join();
    assert.deepEqual([times(), clock.timers, servers.listeners, waits.size], [[], 0, 0, 0]);
  });

  it("are never notified where there can be one server only", () => {
    assert.equal(simulate(onlyServer).subscriptions.size, 0);
  });
});
