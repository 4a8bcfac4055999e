import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { RecoveryWatch } from "@/server/presence/recovery_watch.ts";
import { onlineChannel } from "@/server/presence/channels.ts";
import {
  announceStale,
  currentFreshness,
  onlyServer,
  type Servers,
} from "@/server/presence/servers.ts";
import { appSettings } from "@/realtime/app_config.ts";
import type { PresenceListener, SubscriptionListener } from "@/realtime/server.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { FakeServers, partOf } from "../../fixtures/doubles.ts";

/** A server that started when `before` users had been online, and users who come by the test's hand. */
function simulate(before: number, users = 0, uncertainMs = 0) {
  const clock = new ManualClock();
  clock.advance(777);
  const servers = new FakeServers();
  servers.restart = { agoMs: 0, uncertainMs };
  let listener: (counts: { users: number }) => void = () => {};
  const watch = new RecoveryWatch({
    before,
    servers,
    presence: () => ({ users }),
    onPresence: (added) => {
      listener = added;
      return () => listener = () => {};
    },
    clock,
  });
  let calls = 0;
  const stopWaiting = watch.whenOver(() => calls++);
  return {
    clock,
    servers,
    watch,
    stopWaiting,
    calls: () => calls,
    count(now: number) {
      users = now;
      listener({ users });
    },
  };
}

describe("the watch of the recovery", () => {
  it("shows pages how many are expected, with times relative to now", () => {
    const { clock, watch, count } = simulate(56);
    clock.advance(4_000);
    count(11);
    clock.advance(1_000);
    const shown = { expected: 56, most: 11, startedAt: -5_000, grewAt: -1_000, uncertainMs: 0 };
    assert.deepEqual(watch.shown, shown);
  });

  it("calls back once, when as many are back as before", () => {
    const { clock, watch, count, calls } = simulate(3);
    for (const users of [1, 2]) count(users);
    assert.equal(calls(), 0);
    for (const users of [3, 4, 3]) count(users);
    assert.deepEqual([calls(), watch.shown, clock.timers], [1, null, 0]);
  });

  it("does not end for users of servers that ended, who are in the list until their leases end", () => {
    const { clock, watch, count, calls } = simulate(100, 100, 11_000);
    count(100);
    clock.advance(10_999);
    count(15);
    assert.deepEqual([calls(), watch.isOver, watch.shown?.most], [0, false, 0]);
    clock.advance(1);
    assert.deepEqual([calls(), watch.shown?.most], [0, 15]);
    count(100);
    assert.deepEqual([calls(), watch.isOver, clock.timers], [1, true, 0]);
  });

  it("is over at once where another server has all its users, and as soon as one has", () => {
    const { calls, clock, servers, watch, count } = simulate(56, 0, 12_000);
    count(11);
    servers.change({});
    assert.equal(watch.shown?.expected, 56);
    servers.change({ hasCertainOthers: true });
    assert.deepEqual([watch.isOver, calls(), clock.timers, servers.listeners], [true, 1, 0, 0]);
    const presence = () => ({ users: 0 });
    const onPresence = () => () => {};
    const next = new RecoveryWatch({ before: 56, servers, presence, onPresence, clock });
    assert.equal(next.isOver, true);
  });

  it("begins and ends with the recovery of the first server that started with this one", () => {
    const { calls, clock, count, servers, watch } = simulate(56, 0, 12_000);
    clock.advance(1_000);
    servers.change({ restart: { agoMs: 5_000, uncertainMs: 11_000 } });
    const { startedAt, uncertainMs } = watch.shown!;
    assert.deepEqual([startedAt, uncertainMs], [-5_000, 11_000]);
    count(56);
    clock.advance(5_999);
    assert.equal(calls(), 0);
    clock.advance(1);
    assert.deepEqual([calls(), clock.timers], [1, 0]);
  });

  it("calls back after half a minute, later while the number grows", () => {
    const { clock, count, calls } = simulate(56);
    clock.advance(25_000);
    count(40);
    clock.advance(9_999);
    assert.equal(calls(), 0);
    clock.advance(1);
    assert.deepEqual([calls(), clock.timers], [1, 0]);
  });

  it("calls back at once where there is nothing to recover", () => {
    const { clock, calls } = simulate(2, 2);
    assert.deepEqual([calls(), clock.timers], [1, 0]);
  });

  for (const before of [0, 1]) {
    it(`shows nothing to pages after ${before} users, but waits for the first one`, () => {
      const { watch, count, calls } = simulate(before);
      assert.deepEqual([watch.shown, calls()], [null, 0]);
      count(1);
      assert.equal(calls(), 1);
    });
  }

  it("calls nothing back that no longer waits, nor after a stop", () => {
    const left = simulate(3);
    left.stopWaiting();
    left.count(3);
    assert.equal(left.calls(), 0);
    const stopped = simulate(3);
    stopped.watch.stop();
    stopped.count(3);
    stopped.clock.advance(60_000);
    assert.deepEqual([stopped.calls(), stopped.clock.timers], [0, 0]);
  });
});

const own = appSettings({ id: "own", key: "", secret: "" });

function simulateServers(servers: Servers) {
  const clock = new ManualClock();
  const sent: unknown[] = [];
  const subscriptions = new Set<SubscriptionListener>();
  const waits = new Set<PresenceListener>();
  const stop = announceStale({
    servers,
    clock,
    ownApp: () =>
      partOf({
        settings: own,
        listeners: partOf({
          presence: partOf({
            add(channel, listener) {
              assert.equal(channel, onlineChannel);
              waits.add(listener);
              return () => waits.delete(listener);
            },
          }),
        }),
      }),
    realtime: partOf({
      onSubscription(listener) {
        subscriptions.add(listener);
        return () => subscriptions.delete(listener);
      },
    }),
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
  it("are notified when its numbers become stale, and when they change again", () => {
    const servers = new FakeServers();
    const { times } = simulateServers(servers);
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
    const { clock, join, times } = simulateServers(servers);
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
    const { times, wait } = simulateServers(servers);
    wait();
    assert.deepEqual(times(), []);
    servers.change({ staleSince: 7 });
    times();
    wait();
    assert.deepEqual(times(), [7]);
  });

  it("are not notified of the past when numbers change again before the second is over", () => {
    const servers = new FakeServers();
    const { clock, join, times } = simulateServers(servers);
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
    const { join, times } = simulateServers(servers);
    servers.change({ staleSince: 7 });
    times();
    join("presence-orders");
    join(onlineChannel, appSettings({ id: "another", key: "", secret: "" }));
    assert.deepEqual(times(), []);
  });

  it("are not notified after the end, and no timer is left", () => {
    const servers = new FakeServers();
    const { clock, join, stop, times, waits } = simulateServers(servers);
    servers.change({ staleSince: 7 });
    join();
    times();
    stop();
    servers.change({ staleSince: undefined });
    join();
    assert.deepEqual([times(), clock.timers, servers.listeners, waits.size], [[], 0, 0, 0]);
  });

  it("are never notified where there can be one server only", () => {
    assert.equal(simulateServers(onlyServer).subscriptions.size, 0);
  });
});

describe("how far a number can be believed", () => {
  const recovering = partOf<RecoveryWatch>({
    shown: { expected: 9, startedAt: -5, most: 2, grewAt: -1, uncertainMs: 0 },
  });
  const recovered = partOf<RecoveryWatch>({ shown: null });

  it("is at once, while its server neither recovers nor has lost the others", () => {
    assert.deepEqual(currentFreshness(recovered, onlyServer), { state: "live" });
  });

  it("says how many users are expected back, and nothing else of the recovery", () => {
    const expecting = { state: "recovering", expected: 9 };
    assert.deepEqual(currentFreshness(recovering, onlyServer), expecting);
  });

  it("says since when it is stale, also while users come back", () => {
    const alone = { ...onlyServer, staleSince: 7 };
    for (const recovery of [recovered, recovering]) {
      assert.deepEqual(currentFreshness(recovery, alone), { state: "stale", since: 7 });
    }
  });
});
