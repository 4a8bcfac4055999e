import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import type { Database } from "@/server/database/database.ts";
import { LeaderTerm } from "@/server/database/leader_term.ts";
import { storeHeartbeat } from "@/server/recording/heartbeat.ts";
import type { Interval } from "@/server/history/minute_measure.ts";
import { OnlineRecorder } from "@/server/recording/online_recorder.ts";
import type { SharedPresence } from "@/server/recording/activity_reconciler.ts";
import type { LeaveReason, LogEntry, PresenceListener } from "@/realtime/server.ts";
import { onlineKey } from "@/shared/counted.ts";
import { describeOnDatabase, type TestDatabase } from "../../fixtures/databases.ts";
import { until } from "../../fixtures/eventually.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { partOf } from "../../fixtures/doubles.ts";

const noon = Date.UTC(2026, 0, 5, 12);

/** What servers share: the members, and the log of what changed. */
class SharedPresenceSimulation implements Pick<SharedPresence, "members" | "caughtUp"> {
  readonly users = new Set<string>();
  readonly log: { id: string; at: number; userId: string; reason?: LeaveReason }[] = [];
  isSettled = true;
  leader: RecordingSimulation | undefined;
  questions = 0;
  /** What happens just before the members are read. */
  beforeMembers = () => {};
  /** Hands out what the recorder has not got. */
  handOut = () => {};

  members(): Promise<{ id: string; info: string }[] | null> {
    this.questions++;
    this.beforeMembers();
    if (!this.isSettled) return Promise.resolve(null);
    return Promise.resolve(Array.from(this.users, (id) => ({ id, info: "{}" })));
  }

  caughtUp(): Promise<boolean> {
    this.handOut();
    return Promise.resolve(true);
  }

  joins(userId: string, at: number): void {
    this.users.add(userId);
    this.log.push({ id: `${at}-${this.log.length}`, at, userId });
  }

  leaves(userId: string, at: number, reason: LeaveReason = "closed"): void {
    this.users.delete(userId);
    this.log.push({ id: `${at}-${this.log.length}`, at, userId, reason });
  }
}

/** A server that records when it is the leader. */
class RecordingSimulation {
  readonly clock = new ManualClock();
  readonly logged: LogEntry[] = [];
  readonly stored: string[] = [];
  readonly recorder: OnlineRecorder;
  acknowledged = 0;
  readonly #listeners = new Set<PresenceListener>();
  readonly #term: LeaderTerm;
  #next = 0;

  constructor(database: Database, readonly shared: SharedPresenceSimulation, at = noon) {
    this.#term = new LeaderTerm(database);
    this.clock.advance(at);
    const presence = () => ({
      users: shared.users.size,
      connections: shared.users.size,
      userIds: [...shared.users],
    });
    this.recorder = new OnlineRecorder({
      database,
      clock: this.clock,
      isCountedHere: true,
      activityDays: 0,
      term: this.#term,
      realtime: partOf({ onServerEvent: () => assert.fail("events come from the log") }),
      channels: [{
        key: onlineKey,
        appId: "own",
        channel: onlineKey,
        presence: partOf({
          get now() {
            return presence();
          },
          members: () => [],
          onPresence: (listener) => {
            this.#listeners.add(listener);
            return () => this.#listeners.delete(listener);
          },
          onRemoved: () => () => {},
          active: null,
          onActiveUsers: () => () => {},
        }),
        recovery: partOf({
          whenOver(callback) {
            callback();
            return () => {};
          },
        }),
      }],
      accountsOf: () => Promise.resolve([]),
      onStored: ({ id, change }) => this.stored.push(`${change} ${id}`),
      log: (entry) => this.logged.push(entry),
    });
  }

  /** Becomes the leader, with the entries of the log from a position on. */
  async lead(from = 0): Promise<void> {
    this.#next = from;
    const { shared } = this;
    shared.handOut = () => this.take();
    shared.leader = this;
    await this.#term.begin(() => true);
    await this.recorder.continue({
      members: () => shared.members(),
      caughtUp: () => shared.caughtUp(),
      isLeader: () => shared.leader === this,
    });
    await until(() => this.shared.questions > 0);
  }

  /** Takes the entries of the log that it has not got. */
  take(): void {
    for (const { id, at, userId, reason } of this.shared.log.slice(this.#next)) {
      const place = { channel: onlineKey, userId, member: { id: userId, info: "{}" } };
      const event = reason
        ? { name: "member_removed" as const, ...place, reason }
        : { name: "member_added" as const, ...place };
      this.recorder.take(event, "own", { id, at }).then(() => this.acknowledged++);
    }
    this.#next = this.shared.log.length;
  }

  /** The activity log, oldest first. */
  async attended(): Promise<(string | number)[][]> {
    const { entries } = await this.recorder.activity.read({ limit: 99 });
    return entries.toReversed().map((entry) => [
      entry.at - noon,
      entry.userId,
      entry.change === "left" ? entry.reason : entry.change,
    ]);
  }

  /** Tells the recorder how many there are. */
  counted(): void {
    const users = this.shared.users.size;
    for (const listener of this.#listeners) listener({ users, connections: users });
  }

  /** Stores what waits, and stops. */
  async stop(): Promise<void> {
    this.take();
    await this.recorder.stop();
    assert.equal(this.clock.timers, 0);
  }
}

/** Where one server was the leader, with a user who joined then. */
async function afterOne(store: TestDatabase) {
  const database = await store.open();
  const shared = new SharedPresenceSimulation();
  const one = new RecordingSimulation(database, shared);
  await one.lead();
  shared.joins("ada", noon + 10);
  shared.joins("ben", noon + 20);
  await one.stop();
  await storeHeartbeat(database, noon + 1_000);
  shared.questions = 0;
  return { database, shared, one };
}

describeOnDatabase("the recorder of several servers", (store) => {
  it("records what the log has, at its time, once", async () => {
    const { database, shared, one } = await afterOne(store);
    assert.equal(one.acknowledged, 2);
    shared.leaves("ben", noon + 30, "timed_out");
    // It gets all that was not acknowledged, and here that is everything.
    const two = new RecordingSimulation(database, shared, noon + 5_000);
    await two.lead();
    await two.stop();
    assert.deepEqual(await two.attended(), [
      [10, "ada", "joined"],
      [20, "ben", "joined"],
      [30, "ben", "timed_out"],
    ]);
    assert.deepEqual([two.acknowledged, two.stored], [3, ["left ben"]]);
  });

  it("continues without a leave of users who are still there", async () => {
    const { database, shared } = await afterOne(store);
    const two = new RecordingSimulation(database, shared, noon + 5_000);
    await two.lead(2);
    await two.stop();
    assert.deepEqual((await two.attended()).length, 2);
    assert.deepEqual(await two.recorder.activity.open(onlineKey), [
      { userId: "ada", since: noon + 10, name: null },
      { userId: "ben", since: noon + 20, name: null },
    ]);
  });

  it("records whom the log lost: as left when a server last recorded, and as joined now", async () => {
    const { database, shared } = await afterOne(store);
    shared.users.delete("ada");
    shared.users.add("eve");
    const two = new RecordingSimulation(database, shared, noon + 5_000);
    await two.lead(2);
    await until(async () => {
      two.clock.advance(300);
      return (await two.attended()).length === 4;
    });
    await two.stop();
    const [ada, eve] = (await two.attended()).slice(2);
    assert.deepEqual(ada, [1_000, "ada", "server_lost"]);
    assert.deepEqual(eve.slice(1), ["eve", "joined"]);
  });

  it("records no user as left before all servers have registered their users again", async () => {
    const { database, shared } = await afterOne(store);
    const users = [...shared.users];
    shared.users.clear();
    shared.isSettled = false;
    const two = new RecordingSimulation(database, shared, noon + 5_000);
    await two.lead(2);
    two.clock.advance(1_000);
    await until(() => shared.questions === 2);
    for (const user of users) shared.users.add(user);
    shared.isSettled = true;
    two.clock.advance(1_000);
    await until(() => shared.questions === 4);
    await two.stop();
    assert.equal((await two.attended()).length, 2);
  });

  it("compares again when the log may have lost events", async () => {
    const { database, shared } = await afterOne(store);
    const two = new RecordingSimulation(database, shared, noon + 5_000);
    await two.lead(2);
    await two.recorder.activity.open(onlineKey);
    shared.users.delete("ada");
    two.recorder.check();
    await until(async () => {
      two.clock.advance(300);
      return (await two.attended()).length === 3;
    });
    await two.stop();
    assert.deepEqual((await two.attended())[2].slice(1), ["ada", "server_lost"]);
  });

  it("records who is there when all servers registered their users again as the comparison began", async () => {
    const { database, shared } = await afterOne(store);
    const two = new RecordingSimulation(database, shared, noon + 5_000);
    shared.isSettled = false;
    shared.beforeMembers = () => {
      // Ada leaves with one server, before the other one states her again, which the log does not have.
      shared.leaves("ada", noon + 5_000);
      shared.users.add("ada");
      shared.isSettled = true;
      shared.beforeMembers = () => {};
    };
    await two.lead(2);
    await until(async () => {
      two.clock.advance(300);
      return (await two.attended()).length === 4;
    });
    await two.stop();
    const [left, joined] = (await two.attended()).slice(2);
    assert.deepEqual([left, joined.slice(1)], [[5_000, "ada", "closed"], ["ada", "joined"]]);
  });

  it("stores nothing of a paused server when the log was lost and another one has compared", async () => {
    const { database, shared, one } = await afterOne(store);
    await one.lead(2);
    shared.joins("eve", noon + 2_000);
    one.take();
    await until(async () => {
      one.clock.advance(300);
      return (await one.attended()).length === 3;
    });
    for (const user of ["ada", "eve"]) shared.leaves(user, noon + 3_000);
    for (const user of ["ada", "dan"]) shared.joins(user, noon + 3_000);
    shared.leaves("ada", noon + 3_000);
    // They wait to be stored.
    one.take();
    const { acknowledged } = one;
    shared.log.length = 0;
    shared.joins("ada", noon + 4_000);
    const two = new RecordingSimulation(database, shared, noon + 5_000);
    shared.questions = 0;
    await two.lead();
    await until(async () => {
      two.clock.advance(300);
      return (await two.attended()).length === 5;
    });
    await one.recorder.stop();
    await two.stop();
    assert.equal(one.acknowledged, acknowledged);
    const open = await two.recorder.activity.open(onlineKey);
    assert.deepEqual(open.map(({ userId }) => userId).toSorted(), ["ada", "ben", "dan"]);
    const changes = (await two.attended()).slice(3).map(([, ...change]) => change);
    assert.deepEqual(changes, [["eve", "server_lost"], ["dan", "joined"]]);
  });

  it("does not acknowledge what the database does not take, and the next one stores it", async () => {
    const { database, shared, one } = await afterOne(store);
    const two = new RecordingSimulation(database, shared, noon + 5_000);
    await two.lead(2);
    await store.query(`alter table "attending" rename to "away"`);
    shared.leaves("ada", noon + 6_000);
    await two.stop();
    assert.deepEqual([two.acknowledged, two.logged.length > 0], [0, true]);
    await store.query(`alter table "away" rename to "attending"`);
    shared.questions = 0;
    await one.lead(2);
    await one.stop();
    assert.deepEqual((await one.attended()).slice(2), [[6_000, "ada", "closed"]]);
  });

  it("records nothing while it is not the leader, and leaves the log to others", async () => {
    const { database, shared } = await afterOne(store);
    const two = new RecordingSimulation(database, shared);
    await two.recorder.begin();
    two.take();
    await two.recorder.stop();
    assert.deepEqual([two.acknowledged, two.clock.timers], [0, 0]);
  });

  it("draws the minute that is measured where a server is not the leader, and stores none", async () => {
    const { database, shared } = await afterOne(store);
    const two = new RecordingSimulation(database, shared, noon + 60_000);
    await two.recorder.begin();
    two.clock.advance(10_000);
    shared.joins("cleo", two.clock.date());
    two.counted();
    two.clock.advance(10_000);
    const { history, unsaved } = two.recorder.historyOf(onlineKey);
    const now = two.clock.date();
    const measured = async (minutes: Interval[]) => {
      const { points } = await history.read("hour", now, minutes);
      return points.at(-1)!.measured;
    };
    const { fewestUsers, mostUsers } = (await measured(unsaved()))!;
    assert.deepEqual([fewestUsers, mostUsers], [2, 3]);
    await two.recorder.stop();
    assert.equal(await measured([]), null);
  });

  it("draws the time without a leader as a gap, and no fall", async () => {
    const { database, shared } = await afterOne(store);
    const minute = 60_000;
    const start = noon + 10 * minute;
    const servers = [start, start + 5 * minute].map((at) =>
      new RecordingSimulation(database, shared, at)
    );
    for (const server of servers) {
      shared.questions = 0;
      await server.lead(2);
      server.clock.advance(minute + 10_000);
      await server.stop();
    }
    const { history } = servers[1].recorder.historyOf(onlineKey);
    const { points } = await history.read("hour", start + 6 * minute);
    const measured = points.map(({ measured }) => measured?.fewestUsers ?? "-").slice(-7);
    assert.deepEqual(measured, [2, 2, "-", "-", "-", 2, 2]);
  });
});
