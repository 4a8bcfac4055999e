import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "@std/testing/bdd";
import {
  activeCount,
  activeUsersOf,
  ActivityOfUsers,
  combinedActivity,
  maxActiveIds,
} from "@/realtime/channels/user_activity.ts";
import type { UserActivity } from "@/realtime/connections/connection.ts";
import { departures } from "@/realtime/events/server_events.ts";
import { asConnection } from "../doubles.ts";
import { room } from "../cluster/bus/bus_server.ts";
import { ActivityServers, names, type Tab } from "./activity_servers.ts";

const state = fc.constantFrom<"active" | "idle">("active", "idle");
const activity: fc.Arbitrary<UserActivity | undefined> = fc.option(
  fc.record({ state, since: fc.nat(20) }, { noNullPrototype: true }),
  { nil: undefined },
);

describe("what tabs know of a user together", () => {
  it("is active while any is, idle once all that report are, and unknown while none reports", () => {
    fc.assert(fc.property(fc.array(activity), (tabs) => {
      const reporting = tabs.filter((tab) => tab !== undefined);
      const isActive = reporting.some(({ state }) => state === "active");
      const expected = reporting.length === 0 ? undefined : isActive ? "active" : "idle";
      const combined = combinedActivity(tabs);
      assert.equal(combined?.state, expected);
      const times = reporting.filter(({ state }) => state === expected).map(({ since }) => since);
      const since = expected === "active" ? Math.min(...times) : Math.max(...times);
      if (combined) assert.equal(combined.since, since);
    }));
  });

  it("is the same in any order, in any groups, and when something is said twice", () => {
    fc.assert(fc.property(fc.array(activity), fc.array(activity), (some, others) => {
      const all = combinedActivity([...some, ...others]);
      assert.deepEqual(combinedActivity([...others, ...some]), all);
      assert.deepEqual(combinedActivity([...some, ...some, ...others]), all);
      assert.deepEqual(combinedActivity([combinedActivity(some), combinedActivity(others)]), all);
    }));
  });
});

describe("the number of active users", () => {
  it("has a user of several servers once, and is unknown while no tab reports", () => {
    fc.assert(fc.property(
      fc.array(fc.dictionary(fc.constantFrom("ann", "bob", "cem"), activity), { maxLength: 4 }),
      (servers) => {
        const known = servers.map((users) => {
          const known = new ActivityOfUsers();
          for (const [id, one] of Object.entries(users)) known.keep(id, one);
          return known;
        });
        const reporting = servers.flatMap((users) => Object.values(users)).some(Boolean);
        const active = servers.flatMap((users) => Object.entries(users))
          .filter(([, one]) => one?.state === "active").map(([id]) => id);
        const expected = reporting ? new Set(active).size : null;
        assert.equal(activeCount(known.map(activeUsersOf)), expected);
      },
    ));
  });

  it("counts users of a server beyond those that it tells by id", () => {
    const known = new ActivityOfUsers();
    const users = maxActiveIds + 3;
    for (let id = 0; id < users; id++) known.keep(`${id}`, { state: "active", since: 0 });
    assert.equal(activeCount([activeUsersOf(known), activeUsersOf(undefined)]), users);
  });
});

type Step =
  | { do: "open"; server: number; user: number }
  | { do: "report"; tab: number; state: "active" | "idle" }
  | { do: "leave" | "close"; tab: number }
  | { do: "lose"; server: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("open" as const), server: fc.nat(2), user: fc.nat(1) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("report" as const), tab: fc.nat(9), state }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom("leave" as const, "close" as const),
      tab: fc.nat(9),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("lose" as const),
      server: fc.integer({ min: 1, max: 2 }),
    }),
  },
);

function expectedOf(tabs: readonly Tab[], user: string): string | undefined {
  const states = tabs.filter((tab) => tab.user === user).map(({ state }) => state);
  return states.find((state) => state === "active") ?? states.find((state) => state === "idle");
}

async function take(servers: ActivityServers, step: Step): Promise<void> {
  if (step.do === "open") {
    const server = servers.all[step.server];
    if (server) servers.open(server, names[step.user]);
  } else if (step.do === "lose") {
    const server = servers.all[step.server];
    if (server) await servers.lose(server);
  } else {
    const tab = servers.tabs[step.tab];
    if (!tab) return;
    if (step.do === "report") servers.report(tab, step.state);
    else servers.close(tab, step.do === "leave" ? departures.unsubscribed : departures.closed);
  }
}

describe("a user's state over tabs and servers", () => {
  it("is what the tabs say that are left, after any history, and is told when it changes only", async () => {
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const servers = await ActivityServers.start();
        for (const step of steps) {
          const here = servers.all.map(({ name }) => name);
          const before = here.flatMap((name) =>
            names.map((user) =>
              expectedOf(servers.tabs.filter(({ server }) => server.name === name), user)
            )
          );
          servers.told.length = 0;
          await take(servers, step);
          // A connection's report changes once a second.
          servers.clock.advance(1_000);
          const expected = Object.fromEntries(
            names.map((name) => [name, expectedOf(servers.tabs, name)]),
          );
          assert.deepEqual(await servers.states(), expected);
          if (Object.values(expected).some(Boolean)) seen++;
          if (step.do === "lose") continue;
          const after = here.flatMap((name) =>
            names.map((user) =>
              expectedOf(servers.tabs.filter(({ server }) => server.name === name), user)
            )
          );
          const changes = after.filter((state, index) => state !== before[index]).length;
          assert.equal(servers.told.length, changes);
          const active = names.filter((name) => expected[name] === "active").length;
          const isKnown = Object.values(expected).some(Boolean);
          const [{ app, everywhere }] = servers.all;
          const { answers, isComplete } = await everywhere.remoteActiveUsers(room);
          const count = activeCount([app.presence.activeUsers(room), ...answers]);
          assert.deepEqual([count, isComplete], [isKnown ? active : null, true]);
        }
        await servers.stop();
      }),
      { numRuns: 60 },
    );
    assert.ok(seen > 0);
  });

  it("stays while a page reloads, and is the state of the remaining tabs after the leave grace", async () => {
    const servers = await ActivityServers.start(5_000);
    const { clock } = servers;
    const [one] = servers.all;
    const idle = servers.open(one, "ann");
    const used = servers.open(one, "ann");
    servers.report(idle, "idle");
    servers.report(used, "active");
    clock.advance(60_000);
    servers.told.length = 0;
    servers.close(used);
    clock.advance(3_000);
    const loaded = servers.open(one, "ann");
    clock.advance(1_000);
    servers.report(loaded, "active");
    clock.advance(10_000);
    assert.deepEqual([servers.told, (await servers.states()).ann], [[], "active"]);
    servers.close(loaded);
    clock.advance(4_999);
    assert.deepEqual([servers.told, (await servers.states()).ann], [[], "active"]);
    clock.advance(1);
    assert.deepEqual([servers.told, (await servers.states()).ann], [["1 ann"], "idle"]);
    const [{ activity }] = one.app.presence.members(room);
    assert.deepEqual(activity, { state: "idle", since: clock.date() }, "ann was active until now");
    servers.close(idle);
    assert.equal((await servers.states()).ann, "idle", "ann may come back");
    clock.advance(5_000);
    assert.deepEqual(one.app.stats().reporting, 0);
    await servers.stop();
  });

  it("is idle no longer than since the last use, when the tab of that use is gone", async () => {
    const servers = await ActivityServers.start();
    const [one] = servers.all;
    const [old, recent] = [servers.open(one, "ann"), servers.open(one, "ann")];
    servers.clock.advance(1_000_000);
    servers.report(old, "idle", 900);
    servers.report(recent, "idle", 300);
    const since = servers.clock.date() - 300_000;
    servers.close(recent);
    assert.deepEqual(one.app.presence.members(room)[0].activity, { state: "idle", since });
    await servers.stop();
  });

  it("is idle since as long ago as the tab says, and a repeated report changes nothing", async () => {
    const servers = await ActivityServers.start();
    const tab = servers.open(servers.all[1], "ann");
    servers.clock.advance(1_000_000);
    servers.report(tab, "idle", 300);
    const since = servers.clock.date() - 300_000;
    servers.clock.advance(2_000);
    servers.report(tab, "idle", 0);
    const { members } = await servers.all[0].everywhere.members(room, new Set(names));
    assert.deepEqual(members[0].activity, { state: "idle", since });
    assert.deepEqual(servers.told, ["2 ann"]);
    await servers.stop();
  });

  it("is told of each tab, over all servers, whether it reports a page or not", async () => {
    const servers = await ActivityServers.start();
    const [one, two] = servers.all;
    const [used, left] = [servers.open(one, "ann"), servers.open(two, "ann")];
    servers.open(two, "ann");
    servers.report(used, "active");
    servers.report(left, "idle", 60);
    two.app.pages.report(asConnection(left.socket), room, { path: "/cart", device: undefined });
    const now = servers.clock.date();
    const idle = { state: "idle", since: now - 60_000 } as const;
    const active = { state: "active", since: now } as const;
    const [ann] = (await one.everywhere.members(room, new Set(["ann"]))).members;
    assert.deepEqual(
      [ann.connections, ann.pages, ann.tabs],
      [3, [{ path: "/cart", device: undefined, since: now, activity: idle }], [active]],
    );
    const [other] = (await two.everywhere.members(room, new Set(["ann"]))).members;
    assert.deepEqual(other.tabs, [active]);
    await servers.stop();
  });

  it("changes once a second at most, to the last that was reported in each channel", async () => {
    const servers = await ActivityServers.start();
    const tab = servers.open(servers.all[0], "ann");
    servers.report(tab, "active");
    servers.report(tab, "idle");
    servers.report(tab, "active");
    servers.report(tab, "idle");
    assert.equal((await servers.states()).ann, "active");
    servers.clock.advance(999);
    assert.equal((await servers.states()).ann, "active");
    servers.clock.advance(1);
    assert.equal((await servers.states()).ann, "idle");
    servers.close(tab);
    assert.equal(servers.all[0].app.stats().activities, 0);
    await servers.stop();
  });
});
