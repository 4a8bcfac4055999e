import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { FakeTime } from "@std/testing/time";
import type { Freshness, Recovery } from "@/shared/recovery.ts";
import type { Core } from "@/server/core.ts";
import { onlyServer } from "@/server/presence/servers.ts";
import {
  tokenHeader,
  type UsersCounted,
  wallboardChannel,
  type WallboardHour,
} from "@/shared/wallboard.ts";
import {
  broadcastToWallboards,
  WallboardPublisher,
  type WallboardSource,
} from "@/server/wallboard/wallboard_publisher.ts";
import { appSettings } from "@/realtime/app_config.ts";
import type { PresenceListener, SubscriptionListener } from "@/realtime/server.ts";
import { isWallboardRequest } from "@/server/wallboard/wallboard_links.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { FakeServers, partOf } from "../../fixtures/doubles.ts";

/** A publisher whose clock, channels and count the test sets. */
class WallboardPublisherSimulation {
  readonly clock = new ManualClock();
  readonly occupied = new Set<string>();
  readonly sent: (UsersCounted & { channel: string; now: number })[] = [];
  /** The channels that were sent the last hour, and when. */
  readonly hours: [channel: string, now: number][] = [];
  readHour = (_now: number): Promise<WallboardHour | null> => Promise.resolve(null);
  users = 0;
  readonly recovery: { shown: Recovery | null } = { shown: null };
  readonly publisher = new WallboardPublisher(
    partOf({
      servers: onlyServer,
      ownApp: partOf({
        presence: partOf({ counts: () => ({ users: 0, connections: 0 }) }),
        isOccupied: (channel) => this.occupied.has(channel),
      }),
      broadcastHere: (channel, name, payload) => {
        if (name === "HourRead") return void this.hours.push([channel, this.clock.now()]);
        this.sent.push({ channel, ...payload as UsersCounted, now: this.clock.now() });
      },
    }),
    partOf(this.recovery),
    () => {},
    this.clock,
    () => null,
    (now) => this.readHour(now),
  );

  join(channel: string): void {
    this.occupied.add(channel);
    this.publisher.joined(channel);
  }

  count(users: number): void {
    this.users = users;
    this.publisher.changed({ users, connections: 2 * users });
  }

  get last(): unknown {
    const { channel, users, connections, at } = this.sent.at(-1)!;
    return { channel, users, connections, at };
  }
}

describe("the publisher of the wallboards' count", () => {
  it("sends the count to a channel when a page joins, and again for a second page", () => {
    const simulation = new WallboardPublisherSimulation();
    simulation.count(3);
    simulation.join("a");
    simulation.clock.advance(0);
    const at = simulation.clock.date();
    assert.deepEqual(simulation.last, { channel: "a", users: 3, connections: 6, at });
    simulation.clock.advance(1_000);
    simulation.join("a");
    simulation.clock.advance(0);
    assert.equal(simulation.sent.length, 2);
  });

  it("says how many are expected back until the number can be believed", () => {
    const simulation = new WallboardPublisherSimulation();
    simulation.recovery.shown = partOf({ expected: 56 });
    simulation.join("a");
    simulation.clock.advance(0);
    const recovering = { state: "recovering", expected: 56 };
    assert.deepEqual(simulation.sent.at(-1)?.freshness, recovering);
    simulation.recovery.shown = null;
    simulation.count(56);
    simulation.clock.advance(250);
    assert.deepEqual(simulation.sent.at(-1)?.freshness, { state: "live" });
  });

  it("sends at most four counts per second of many changes, the last one included", () => {
    const simulation = new WallboardPublisherSimulation();
    simulation.join("a");
    simulation.clock.advance(0);
    for (let users = 1; users <= 1_000; users++) {
      simulation.count(users);
      simulation.clock.advance(1);
    }
    simulation.clock.advance(250);
    assert.ok(simulation.sent.length <= 6, `${simulation.sent.length} events`);
    assert.equal(simulation.sent.at(-1)?.users, 1_000);
  });

  it("sends the count every ten seconds while a page is joined", () => {
    const simulation = new WallboardPublisherSimulation();
    simulation.join("a");
    simulation.clock.advance(0);
    simulation.clock.advance(30_000);
    assert.deepEqual(simulation.sent.map(({ now }) => now), [0, 10_000, 20_000, 30_000]);
    simulation.occupied.delete("a");
    simulation.clock.advance(10_000);
    assert.deepEqual([simulation.sent.length, simulation.clock.timers], [4, 0]);
  });

  it("sends the last hour to a page that joins, and to all of them once a minute", async () => {
    const simulation = new WallboardPublisherSimulation();
    simulation.readHour = () => Promise.resolve(partOf<WallboardHour>({}));
    const pass = async (ms: number) => {
      simulation.clock.advance(ms);
      await Promise.resolve();
    };
    simulation.join("a");
    await pass(0);
    await pass(1_000);
    simulation.join("b");
    await pass(0);
    assert.deepEqual(simulation.hours, [["a", 0], ["b", 1_000]]);
    for (let second = 0; second < 120; second++) await pass(1_000);
    const ofA = simulation.hours.filter(([channel]) => channel === "a");
    assert.deepEqual([simulation.hours.length, ofA.length], [6, 3]);
    simulation.readHour = () => Promise.reject(new Error("no database"));
    for (let second = 0; second < 60; second++) await pass(1_000);
    assert.equal(simulation.hours.length, 6);
    assert.ok(simulation.sent.at(-1)!.now >= 170_000, "the number is still sent");
  });

  it("sends nothing and keeps no timer while no page is joined", () => {
    const simulation = new WallboardPublisherSimulation();
    simulation.count(1);
    assert.deepEqual([simulation.sent.length, simulation.clock.timers], [0, 0]);
  });

  it("brings every occupied channel to the current count within 250 ms, after any steps", () => {
    const channel = fc.constantFrom("a", "b", "c");
    const step = fc.oneof(
      fc.record({ join: channel }),
      fc.record({ leave: channel }),
      fc.record({ count: fc.nat(9) }),
      fc.record({ pass: fc.nat(12_000) }),
    );
    fc.assert(fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const simulation = new WallboardPublisherSimulation();
      for (const step of steps) {
        if ("join" in step) simulation.join(step.join);
        else if ("leave" in step) simulation.occupied.delete(step.leave);
        else if ("count" in step) simulation.count(step.count);
        else simulation.clock.advance(step.pass);
      }
      simulation.clock.advance(250);
      for (const channel of simulation.occupied) {
        const received = simulation.sent.filter((event) => event.channel === channel);
        assert.equal(received.at(-1)?.users, simulation.users);
        const times = received.map(({ now }) => now);
        assert.ok(times.every((time, index) => index === 0 || time - times[index - 1] >= 250));
      }
      simulation.occupied.clear();
      simulation.clock.advance(10_000);
      assert.equal(simulation.clock.timers, 0);
    }));
  });
});

function app(id: string) {
  return appSettings({ id, key: "", secret: "" });
}

/** Everything is occupied; `ownApp` has the id `own` and one user at first. */
function simulate() {
  const told: [channel: string, users: number][] = [];
  const states: Freshness[] = [];
  const actives: (number | null | undefined)[] = [];
  const servers = new FakeServers();
  let subscribed: SubscriptionListener = () => {};
  let counted: PresenceListener = () => {};
  const core: Core = partOf({
    realtime: partOf({
      onSubscription(listener) {
        subscribed = listener;
        return () => {};
      },
    }),
    ownApp: partOf({
      settings: app("own"),
      presence: partOf({ counts: () => ({ users: 1, connections: 1 }) }),
      listeners: partOf({
        presence: partOf({
          add(_, listener) {
            counted = listener;
            return () => {};
          },
        }),
      }),
      isOccupied: () => true,
    }),
    servers,
    broadcastHere: (channel, _, payload) => {
      const { users, freshness, active } = payload as UsersCounted;
      actives.push(active);
      told.push([channel, users]);
      states.push(freshness);
    },
  });
  let active: number | null = null;
  let activeChanged = () => {};
  const online = partOf<WallboardSource>({
    recovery: partOf({ shown: null, whenOver: () => () => {} }),
    presence: partOf({
      get active() {
        return active;
      },
      onActiveUsers(listener) {
        activeChanged = listener;
        return () => {};
      },
    }),
  });
  broadcastToWallboards(core, online, () => {});
  const use = (users: number | null) => {
    active = users;
    activeChanged();
  };
  return { told, states, actives, servers, subscribe: subscribed, count: counted, use };
}

describe("the count of wallboards", () => {
  const channel = wallboardChannel("1");

  it("is told to a wallboard that joins, and after each change", () => {
    using time = new FakeTime();
    const { told, subscribe, count } = simulate();
    subscribe(channel, app("own"));
    time.tick(0);
    count({ users: 4, connections: 5 });
    time.tick(250);
    assert.deepEqual(told, [[channel, 1], [channel, 4]]);
  });

  it("has how many are active, as soon as one is or is not", () => {
    using time = new FakeTime();
    const { actives, subscribe, use } = simulate();
    subscribe(channel, app("own"));
    time.tick(250);
    for (const users of [1, 0, null]) {
      use(users);
      time.tick(250);
    }
    assert.deepEqual(actives, [null, 1, 0, null]);
  });

  it("says at once that it is stale, and that it changes again", () => {
    using time = new FakeTime();
    const { states, servers, subscribe } = simulate();
    subscribe(channel, app("own"));
    time.tick(250);
    servers.change({ staleSince: 7 });
    time.tick(250);
    servers.change({ staleSince: undefined });
    time.tick(250);
    const stale = { state: "stale", since: 7 };
    assert.deepEqual(states, [{ state: "live" }, stale, { state: "live" }]);
  });

  it("is told to no channel of the same name in another app, and to no other channel", () => {
    using time = new FakeTime();
    const { told, subscribe, count } = simulate();
    subscribe(channel, app("another"));
    subscribe("private-orders", app("own"));
    count({ users: 4, connections: 5 });
    time.tick(20_000);
    assert.deepEqual(told, []);
  });
});

function isOfWallboard(path: string, headers: Record<string, string> = {}): boolean {
  const url = new URL(path, "http://localhost");
  return isWallboardRequest(new Request(url, { headers }), url);
}

describe("a request of a wallboard", () => {
  it("is one for its page, or one to join its channel with a token", () => {
    assert.ok(isOfWallboard("/wallboard/a-token"));
    assert.ok(isOfWallboard("/broadcasting/auth", { [tokenHeader]: "a-token" }));
  });

  it("is no other, as the header of a token must not hide who sent it", () => {
    for (
      const path of ["/", "/admin/settings/team", "/broadcasting/user-auth", "/broadcasting/auth/x"]
    ) {
      assert.ok(!isOfWallboard(path, { [tokenHeader]: "a-token" }), path);
    }
    assert.ok(!isOfWallboard("/broadcasting/auth"));
    assert.ok(!isOfWallboard("/wallboards"));
  });
});
