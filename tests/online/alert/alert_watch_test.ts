import assert from "node:assert/strict";
import fc from "fast-check";
import { it } from "@std/testing/bdd";
import type { Database } from "../../../database/database.ts";
import { type AlertSetting, observe, readAlert, setAlert } from "../../../online/alert/alert.ts";
import { AlertWatch } from "../../../online/alert/alert_watch.ts";
import { describeOnEachDatabase } from "../../fixtures/databases.ts";
import { until } from "../../fixtures/eventually.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import type { Crossing } from "../../../shared/alert.ts";

const settled = 30_000;

/** The recovery of a server that has nothing to recover. */
const atOnce = {
  whenOver(callback: () => void) {
    callback();
    return () => {};
  },
};

function setting(change: Partial<AlertSetting> = {}): AlertSetting {
  return { enabled: true, users: 3, direction: "up", ...change };
}

/** A server with an alert watch, and the crossings that it reported. */
class Server {
  readonly clock = new ManualClock();
  readonly reported: Crossing[] = [];
  readonly failures: unknown[] = [];
  readonly urls: (string | undefined)[] = [];
  watch!: AlertWatch;

  constructor(readonly database: Database) {}

  async start(users = 0): Promise<this> {
    const { database, clock } = this;
    const isFirst = await readAlert(database) === null;
    this.watch = await AlertWatch.open(users, {
      database,
      clock,
      crossed: (crossing, { webhookUrl }) => {
        this.reported.push(crossing);
        this.urls.push(webhookUrl);
      },
      failed: (error) => this.failures.push(error),
      recovery: {
        whenOver: (callback) =>
          isFirst ? atOnce.whenOver(callback) : clock.after(settled, callback),
      },
    });
    return this;
  }

  async seen(...counts: number[]): Promise<number[]> {
    for (const count of counts) this.watch.changed(count);
    await this.watch.stop();
    assert.equal(this.clock.timers, 0);
    return this.reported.map(({ users }) => users);
  }
}

async function newServer(database: Database): Promise<Server> {
  return await new Server(database).start();
}

describeOnEachDatabase("the watch of the alert", (store) => {
  it("reports each crossing once, in order, and stores it", async () => {
    const database = await store.open();
    const server = await newServer(database);
    server.clock.advance(1_000);
    assert((await server.watch.change(setting({ webhookUrl: "https://example.org/" }))).ok);
    assert.deepEqual(await server.seen(2, 3, 4, 2, 5, 5, 1), [3, 5]);
    assert.deepEqual(server.urls, ["https://example.org/", "https://example.org/"]);
    const expected = [5, 3].map((users) => ({ at: 1_000, users, threshold: 3, direction: "up" }));
    assert.deepEqual((await readAlert(database))?.crossings, expected);
    assert.deepEqual(server.failures, []);
  });

  it("reports a crossing soon, without waiting for a stop", async () => {
    const { promise: reported, resolve: crossed } = Promise.withResolvers<Crossing>();
    const clock = new ManualClock();
    const failed = (error: unknown) => assert.fail(String(error));
    const database = await store.open();
    const watch = await AlertWatch.open(0, {
      ...{ database, crossed, failed, recovery: atOnce, clock },
    });
    await watch.change(setting());
    watch.changed(3);
    clock.advance(50);
    assert.deepEqual(await reported, { at: 0, users: 3, threshold: 3, direction: "up" });
    await watch.stop();
  });

  it("reports no crossing by users who leave while it stops", async () => {
    const server = await newServer(await store.open());
    await server.watch.change(setting({ direction: "down" }));
    server.watch.changed(4);
    const stopped = server.watch.stop();
    server.watch.changed(0);
    await stopped;
    assert.deepEqual(server.reported, []);
  });

  it("reports no crossing for a change of the setting", async () => {
    const server = await newServer(await store.open());
    server.watch.changed(5);
    await server.watch.change(setting());
    await server.watch.change(setting({ users: 6, direction: "down" }));
    await server.watch.change(setting({ users: 4 }));
    server.watch.changed(3);
    await server.watch.change(setting({ users: 2 }));
    assert.deepEqual(await server.seen(4, 1, 2), [2]);
  });

  it("reports a crossing right before a change of the setting", async () => {
    const server = await newServer(await store.open());
    await server.watch.change(setting());
    server.watch.changed(3);
    await server.watch.change(setting({ users: 6 }));
    assert.deepEqual(await server.seen(5), [3]);
  });

  it("ignores a count that was observed before the setting changed", async () => {
    const database = await store.open();
    const { version } = await setAlert(database, setting(), 0);
    const changed = await setAlert(database, setting({ users: 5 }), 0);
    assert.equal(await observe(database, { users: 9, at: 1, version }), null);
    assert.deepEqual(await readAlert(database), changed);
    const found = await observe(database, { users: 9, at: 1, version: changed.version });
    assert.equal(found?.crossing.threshold, 5);
  });

  it("refuses an invalid setting and names the field", async () => {
    const database = await store.open();
    const server = await newServer(database);
    const result = await server.watch.change(setting({ users: 0 }));
    assert(!result.ok && result.field === "users");
    assert.equal(await readAlert(database), null);
    assert.deepEqual(await server.seen(5), []);
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

  it("reports after a restart what was crossed while the server did not run", async () => {
    const database = await store.open();
    const server = await newServer(database);
    server.watch.changed(5);
    await server.watch.change(setting({ direction: "down" }));
    await server.watch.stop();
    const again = await newServer(database);
    again.watch.changed(1);
    again.clock.advance(settled);
    assert.deepEqual(await again.seen(2, 4), [1]);
  });

  it("reports each crossing once after the database failed", async () => {
    const server = await newServer(await store.open());
    await server.watch.change(setting());
    await store.query(`alter table "setting" rename to "elsewhere"`);
    server.watch.changed(3);
    server.clock.advance(50);
    await until(() => server.failures.length > 0, "the failure was reported");
    server.watch.changed(2);
    server.watch.changed(4);
    await store.query(`alter table "elsewhere" rename to "setting"`);
    assert.deepEqual(await server.seen(), [3, 4]);
  });

  it("stores the last twenty crossings", async () => {
    const database = await store.open();
    const server = await newServer(database);
    await server.watch.change(setting());
    const counts = Array.from({ length: 25 }, (_, index) => [3 + index, 0]).flat();
    assert.equal((await server.seen(...counts)).length, 25);
    const { crossings } = (await readAlert(database))!;
    assert.deepEqual([crossings.length, crossings[0].users, crossings[19].users], [20, 27, 8]);
  });

  it("reports a crossing once when two processes observe it, in 20 runs", async () => {
    for (let run = 0; run < 20; run++) {
      const database = await store.open();
      const here = await newServer(database);
      here.clock.advance(settled);
      await here.watch.change(setting());
      const there = await newServer(await store.open());
      there.clock.advance(settled);
      const reported = await Promise.all([here.seen(3), there.seen(3)]);
      assert.equal(reported.flat().length, 1);
    }
  });

  it("matches a model over any course of counts, settings and restarts", async () => {
    const database = await store.open();
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ count: fc.nat(5) }) },
      {
        weight: 1,
        arbitrary: fc.record({
          users: fc.integer({ min: 1, max: 5 }),
          direction: fc.constantFrom("up" as const, "down" as const),
        }),
      },
      { weight: 1, arbitrary: fc.record({ restartWith: fc.nat(5) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        await database.queries.deleteFrom("setting").where("name", "=", "alert").execute();
        const server = await newServer(database);
        const expected: number[] = [];
        let model: { users: number; direction: string; isReached: boolean } | undefined;
        let now = 0;
        const look = () => {
          if (!model) return;
          const isReached = now >= model.users;
          const turned = isReached !== model.isReached;
          if (turned && isReached === (model.direction === "up")) expected.push(now);
          model.isReached = isReached;
        };
        for (const step of steps) {
          if ("count" in step) {
            server.watch.changed(now = step.count);
            look();
          } else if ("restartWith" in step) {
            await server.watch.stop();
            await server.start();
            server.watch.changed(now = step.restartWith);
            server.clock.advance(settled);
            look();
          } else {
            await server.watch.change(setting(step));
            model = { ...step, isReached: now >= step.users };
          }
        }
        assert.deepEqual(await server.seen(), expected);
        assert.deepEqual(server.failures, []);
      }),
      { numRuns: 30 },
    );
  });
});
