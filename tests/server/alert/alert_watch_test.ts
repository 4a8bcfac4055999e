import assert from "node:assert/strict";
import fc from "fast-check";
import { it } from "@std/testing/bdd";
import type { Database } from "@/server/database/database.ts";
import {
  carriedOver,
  type EnteredAlert,
  enterPhase,
  follow,
  newPhaseState,
  readAlert,
  setAlert,
} from "@/server/alert/stored_alert.ts";
import { AlertWatch } from "@/server/alert/alert_watch.ts";
import { describeOnDatabase } from "../../fixtures/databases.ts";
import { until } from "../../fixtures/eventually.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import type { Crossing } from "@/shared/alert.ts";
import { partOf } from "../../fixtures/doubles.ts";

const settled = 30_000;

const noOne = { users: 0, active: null };

/** The recovery of a server that has nothing to recover. */
const atOnce = {
  whenOver(callback: () => void) {
    callback();
    return () => {};
  },
};

/** A setting without a time to hold, unless the test has one. */
function setting(change: Partial<EnteredAlert> = {}): EnteredAlert {
  return { enabled: true, users: 3, direction: "up", holdSeconds: 0, ...change };
}

/** A server with an alert watch, and the crossings that it reported. */
class AlertWatchSimulation {
  readonly clock = new ManualClock();
  readonly reported: Crossing[] = [];
  readonly failures: unknown[] = [];
  watch!: AlertWatch;

  constructor(readonly database: Database) {}

  async start(users = 0): Promise<this> {
    const { database, clock } = this;
    const isFirst = await readAlert(database) === null;
    this.watch = await AlertWatch.open(users, {
      database,
      clock,
      crossed: ({ crossings: [crossing] }) => this.reported.push(crossing),
      failed: (error) => this.failures.push(error),
      recovery: partOf({
        whenOver: (callback) =>
          isFirst ? atOnce.whenOver(callback) : clock.after(settled, callback),
      }),
    });
    return this;
  }

  /** Takes counts, stops, and returns what was reported, such as `active 3`. */
  async seen(...counts: number[]): Promise<string[]> {
    for (const count of counts) this.watch.changed(count);
    await this.watch.stop();
    assert.equal(this.clock.timers, 0);
    return this.reported.map(({ phase, users }) => `${phase} ${users}`);
  }
}

async function newServer(database: Database): Promise<AlertWatchSimulation> {
  return await new AlertWatchSimulation(database).start();
}

describeOnDatabase("the watch of the alert", (store) => {
  it("reports each alert and its end once, in order, and stores them", async () => {
    const database = await store.open();
    const server = await newServer(database);
    server.clock.advance(1_000);
    await server.watch.change(setting());
    assert.deepEqual(await server.seen(2, 3, 4, 2, 5, 5, 1), [
      "active 3",
      "normal 2",
      "active 5",
      "normal 1",
    ]);
    const expected = server.reported.toReversed();
    assert.deepEqual((await readAlert(database))?.crossings, expected);
    assert.deepEqual(expected.at(-1), {
      at: 1_000,
      users: 3,
      threshold: 3,
      direction: "up",
      phase: "active",
    });
    assert.deepEqual(server.failures, []);
  });

  it("reports soon, without waiting for a stop", async () => {
    const { promise: reported, resolve } = Promise.withResolvers<Crossing>();
    const clock = new ManualClock();
    const failed = (error: unknown) => assert.fail(String(error));
    const database = await store.open();
    const watch = await AlertWatch.open(0, {
      database,
      failed,
      recovery: partOf(atOnce),
      clock,
      crossed: ({ crossings: [crossing] }) => resolve(crossing),
    });
    await watch.change(setting());
    watch.changed(3);
    clock.advance(50);
    const expected = { at: 0, users: 3, threshold: 3, direction: "up", phase: "active" };
    assert.deepEqual(await reported, expected);
    await watch.stop();
  });

  it("reports only a number that holds for the time that is set, and then at that moment", async () => {
    const server = await newServer(await store.open());
    await server.watch.change(setting({ holdSeconds: 60 }));
    server.watch.changed(3);
    server.clock.advance(59_999);
    server.watch.changed(2);
    server.watch.changed(4);
    server.clock.advance(60_000);
    server.watch.changed(0);
    server.clock.advance(59_999);
    assert.deepEqual(await server.seen(5), ["active 4"]);
    assert.equal(server.reported[0].at, 119_999);
  });

  it("reports a number that held long enough, even if its timer is late", async () => {
    const database = await store.open();
    const clock = new ManualClock();
    const late = { ...clock, now: clock.now, date: clock.date, after: () => () => {} };
    const reported: Crossing[] = [];
    const watch = await AlertWatch.open(0, {
      database,
      clock: late,
      failed: (error) => assert.fail(String(error)),
      recovery: partOf(atOnce),
      crossed: ({ crossings: [crossing] }) => reported.push(crossing),
    });
    await watch.change(setting({ holdSeconds: 60 }));
    watch.changed(3);
    clock.advance(61_000);
    watch.changed(2);
    await watch.stop();
    assert.deepEqual(reported.map(({ users }) => users), [3]);
  });

  it("reports nothing by users who leave while it stops", async () => {
    const server = await newServer(await store.open());
    await server.watch.change(setting());
    server.watch.changed(3);
    // What was before is still being stored.
    const stopped = server.watch.stop();
    server.watch.changed(0);
    await stopped;
    assert.deepEqual(await server.seen(), ["active 3"]);
  });

  it("reports a number that is beyond the threshold when the alert is set, once it has held", async () => {
    const server = await newServer(await store.open());
    server.watch.changed(5);
    await server.watch.change(setting({ holdSeconds: 60 }));
    server.clock.advance(30_000);
    await server.watch.change(setting({ holdSeconds: 60, users: 4 }));
    server.clock.advance(59_999);
    assert.deepEqual(server.reported, []);
    server.clock.advance(1);
    assert.deepEqual(await server.seen(), ["active 5"]);
  });

  it("reports an alert once when the setting changes while it is active", async () => {
    const server = await newServer(await store.open());
    await server.watch.change(setting());
    server.watch.changed(5);
    await server.watch.change(setting({ webhookUrl: "https://example.org/" }));
    await server.watch.change(setting({ users: 4 }));
    assert.deepEqual(await server.seen(3), ["active 5", "normal 3"]);
  });

  it("reports what happened right before a change of the setting", async () => {
    const server = await newServer(await store.open());
    await server.watch.change(setting());
    server.watch.changed(3);
    await server.watch.change(setting({ users: 6 }));
    assert.deepEqual(await server.seen(5), ["active 3"]);
  });

  it("reports nothing while it is off, and starts again when it is on", async () => {
    const server = await newServer(await store.open());
    await server.watch.change(setting());
    server.watch.changed(3);
    await server.watch.change(setting({ enabled: false }));
    for (const users of [0, 4]) server.watch.changed(users);
    await server.watch.change(setting());
    assert.deepEqual(await server.seen(), ["active 3", "active 4"]);
  });

  it("reports that few are active, and waits while it is not known how many are", async () => {
    const server = await newServer(await store.open());
    const { clock, watch } = server;
    watch.changed(9, 1);
    await watch.change(setting({ onlyActive: true, direction: "down", holdSeconds: 60 }));
    clock.advance(59_000);
    // No tab reports: that they are not active is not known either.
    watch.changed(9, null);
    clock.advance(120_000);
    watch.changed(9, 2);
    clock.advance(59_999);
    watch.changed(9, 3);
    watch.changed(9, 2);
    clock.advance(60_000);
    watch.changed(9, null);
    clock.advance(120_000);
    watch.changed(9, 4);
    clock.advance(60_000);
    assert.deepEqual(await server.seen(), ["active 2", "normal 4"]);
    assert.deepEqual(server.reported.map(({ onlyActive }) => onlyActive), [true, true]);
  });

  it("reports zero active users when no one is online", async () => {
    const server = await newServer(await store.open());
    server.watch.changed(9, 9);
    await server.watch.change(setting({ onlyActive: true, direction: "down" }));
    server.watch.changed(0, null);
    assert.deepEqual(await server.seen(), ["active 0"]);
  });

  it("is normal when it is about another number from now on", async () => {
    const server = await newServer(await store.open());
    await server.watch.change(setting());
    server.watch.changed(5, 1);
    await server.watch.change(setting({ onlyActive: true }));
    assert.equal(server.watch.state?.phase, "normal");
    server.watch.changed(5, 4);
    assert.deepEqual(await server.seen(), ["active 5", "active 4"]);
  });

  it("ignores a phase that was entered before the setting changed", async () => {
    const database = await store.open();
    const { version } = await setAlert(database, setting(), noOne);
    const changed = await setAlert(database, setting({ users: 5 }), noOne);
    const enter = (of: number) =>
      database.exclusively((transaction) =>
        enterPhase(transaction, { phase: "active", users: 9, at: 1, version: of })
      );
    assert.equal(await enter(version), null);
    assert.deepEqual(await readAlert(database), changed);
    const found = await enter(changed.version);
    assert.equal(found?.crossings[0].threshold, 5);
  });

  it("reports nothing while users reconnect after a restart", async () => {
    const database = await store.open();
    for (const direction of ["up", "down"] as const) {
      const server = await newServer(database);
      server.watch.changed(5);
      await server.watch.change(setting({ direction }));
      await server.watch.stop();
      const again = await newServer(database);
      for (const count of [1, 2, 3, 4]) again.watch.changed(count);
      again.clock.advance(settled);
      assert.deepEqual(await again.seen(5), []);
    }
  });

  it("reports after a restart what happened while the server did not run, once it has held", async () => {
    const database = await store.open();
    const server = await newServer(database);
    server.watch.changed(5);
    await server.watch.change(setting({ direction: "down", holdSeconds: 60 }));
    await server.watch.stop();
    const again = await newServer(database);
    again.watch.changed(1);
    again.clock.advance(settled + 59_999);
    assert.deepEqual(again.reported, []);
    again.clock.advance(1);
    assert.deepEqual(await again.seen(2, 4), ["active 1"]);
  });

  it("reports after a restart that the number is back to normal", async () => {
    const database = await store.open();
    const server = await newServer(database);
    await server.watch.change(setting());
    assert.deepEqual(await server.seen(3), ["active 3"]);
    const again = await newServer(database);
    again.clock.advance(settled);
    assert.deepEqual(await again.seen(), ["normal 0"]);
  });

  it("reports each crossing once after the database failed", async () => {
    const server = await newServer(await store.open());
    await server.watch.change(setting());
    await store.query(`alter table "alertRule" rename to "elsewhere"`);
    server.watch.changed(3);
    server.clock.advance(50);
    await until(() => server.failures.length > 0, "the failure was reported");
    server.watch.changed(2);
    server.watch.changed(4);
    await store.query(`alter table "elsewhere" rename to "alertRule"`);
    assert.deepEqual(await server.seen(), ["active 3", "normal 2", "active 4"]);
  });

  it("stores the last twenty crossings", async () => {
    const database = await store.open();
    const server = await newServer(database);
    await server.watch.change(setting());
    const counts = Array.from({ length: 25 }, (_, index) => [3 + index, 0]).flat();
    assert.equal((await server.seen(...counts)).length, 50);
    const { crossings } = (await readAlert(database))!;
    assert.deepEqual([crossings.length, crossings[0].users, crossings[1].users], [20, 0, 27]);
  });

  it("reports a crossing once when two processes observe it, in 20 runs", async () => {
    for (let run = 0; run < 20; run++) {
      const database = await store.open();
      await database.queries.deleteFrom("alertRule").execute();
      const here = await newServer(database);
      await here.watch.change(setting());
      const there = await newServer(await store.open());
      there.clock.advance(settled);
      const reported = await Promise.all([here.seen(3), there.seen(3)]);
      assert.equal(reported.flat().length, 1);
    }
  });

  it("matches a model over any course of counts, times, settings and restarts", async () => {
    const database = await store.open();
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ count: fc.nat(5) }) },
      { weight: 3, arbitrary: fc.record({ seconds: fc.nat(4) }) },
      {
        weight: 1,
        arbitrary: fc.record({
          users: fc.integer({ min: 1, max: 5 }),
          direction: fc.constantFrom("up" as const, "down" as const),
          holdSeconds: fc.nat(3),
        }),
      },
      { weight: 1, arbitrary: fc.record({ restartWith: fc.nat(5) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        await database.queries.deleteFrom("alertRule").execute();
        const server = await newServer(database);
        const expected: string[] = [];
        let set: EnteredAlert | undefined;
        let phaseState = newPhaseState("normal");
        let [users, now] = [0, 0];
        const look = () => {
          if (!set) return;
          const after = follow(set, phaseState, { users, at: now });
          if (after.phase !== phaseState.phase) expected.push(`${after.phase} ${users}`);
          phaseState = after;
        };
        for (const step of steps) {
          if ("count" in step) {
            server.watch.changed(users = step.count);
          } else if ("seconds" in step) {
            for (let second = 0; second < step.seconds; second++) {
              server.clock.advance(1_000);
              now += 1_000;
              look();
            }
          } else if ("restartWith" in step) {
            await server.watch.stop();
            await server.start();
            server.watch.changed(users = step.restartWith);
            server.clock.advance(settled);
            now += settled;
            phaseState = newPhaseState(phaseState.phase);
          } else {
            set = setting(step);
            await server.watch.change(set);
            phaseState = newPhaseState(carriedOver(set, phaseState.phase, users));
          }
          look();
        }
        assert.deepEqual(await server.seen(), expected);
        assert.deepEqual(server.failures, []);
      }),
      { numRuns: 30 },
    );
  });
});
