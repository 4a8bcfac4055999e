import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import fc from "fast-check";
import { onlineChannel } from "@/server/presence/channels.ts";
import { History } from "@/server/history/stored_history.ts";
import { RecoveryWatch } from "@/server/presence/recovery_watch.ts";
import { onlyServer } from "@/server/presence/servers.ts";
import { OnlineRecorder } from "@/server/recording/online_recorder.ts";
import type {
  LeaveReason,
  LogEntry,
  PresenceListener,
  ServerEvent,
  ServerEventListener,
} from "@/realtime/server.ts";
import { appSettings } from "@/realtime/app_config.ts";
import { storeHeartbeat } from "@/server/recording/heartbeat.ts";
import type { Database } from "@/server/database/database.ts";
import { describeOnDatabase } from "../../fixtures/databases.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { partOf } from "../../fixtures/doubles.ts";

const [minute, day] = [60_000, 24 * 60 * 60_000];
const noon = Date.UTC(2026, 0, 5, 12);

const app = (id: string) => appSettings({ id, key: `key-of-${id}`, secret: "s".repeat(16) });

/** Users who come and go by the test's hand, in one tab each. */
class FakeRealtime {
  readonly #since = new Map<string, number>();
  #listener: ServerEventListener = () => {};
  #counted: PresenceListener = () => {};
  listeners = 0;

  constructor(readonly clock: ManualClock) {}

  members = () =>
    Array.from(this.#since, ([userId, since]) => (
      { userId, since, connections: 1, lastSeenAt: since }
    ));

  has = (userId: string) => this.#since.has(userId);

  /** The members of the channel of the users online. */
  presenceOfOnline() {
    const userIds = () => [...this.#since.keys()];
    return {
      get now() {
        const ids = userIds();
        return { userIds: ids, users: ids.length, connections: ids.length };
      },
      members: this.members,
      onPresence: (listener: PresenceListener) => this.#onPresence(listener),
      onRemoved: () => () => {},
      active: null,
      onActiveUsers: () => () => {},
    };
  }

  onServerEvent = (listener: ServerEventListener) => {
    this.#listener = listener;
    this.listeners++;
    return () => this.listeners--;
  };

  #onPresence(listener: PresenceListener): () => void {
    this.#counted = listener;
    this.listeners++;
    return () => {
      this.#counted = () => {};
      this.listeners--;
    };
  }

  join(userId: string): void {
    this.#since.set(userId, this.clock.date());
    const member = { id: userId, info: "{}" };
    this.tell({ name: "member_added", channel: onlineChannel, userId, member });
  }

  leave(userId: string, reason: LeaveReason): void {
    this.#since.delete(userId);
    this.tell({ name: "member_removed", channel: onlineChannel, userId, reason });
  }

  tell(event: ServerEvent, appId = "own"): void {
    this.#listener(event, app(appId));
    this.#counted(this.presenceOfOnline().now);
  }
}

async function simulate(
  database: Database,
  at: number,
  activityDays = 30,
  isCountedHere = true,
) {
  const clock = new ManualClock();
  clock.advance(at);
  const realtime = new FakeRealtime(clock);
  const logged: LogEntry[] = [];
  const presence = realtime.presenceOfOnline();
  const recovery = new RecoveryWatch({
    before: isCountedHere ? await new History(database).lastUsers() : presence.now.users,
    servers: onlyServer,
    presence: () => presence.now,
    onPresence: presence.onPresence,
    clock,
  });
  const onlineRecorder = new OnlineRecorder({
    database,
    realtime: partOf(realtime),
    channels: [{
      key: onlineChannel,
      appId: "own",
      channel: onlineChannel,
      presence: partOf(presence),
      recovery,
    }],
    clock,
    activityDays,
    isCountedHere,
    accountsOf: () => Promise.resolve([]),
    onStored: () => {},
    log: (entry) => logged.push(entry),
  });
  const attended = async () =>
    (await onlineRecorder.activity.read({ limit: 99 })).entries.toReversed()
      .map((entry) => [
        entry.at - noon,
        entry.userId,
        entry.change === "left" ? entry.reason : entry.change,
      ]);
  const recorded = onlineRecorder.historyOf(onlineChannel);
  return { clock, realtime, recovery, onlineRecorder, recorded, logged, attended };
}

describeOnDatabase("the onlineRecorder", (store) => {
  it("records a leave at the last heartbeat for everyone online when a server was killed", async () => {
    const database = await store.open();
    const killed = await simulate(database, noon);
    await killed.onlineRecorder.begin();
    killed.realtime.join("ada");
    killed.clock.advance(1_000);
    killed.realtime.join("ben");
    killed.realtime.leave("ben", "timed_out");
    // What a kill leaves behind: all that was stored, and a sign of life.
    await killed.onlineRecorder.stop();
    await storeHeartbeat(database, noon + 9_000);
    const next = await simulate(database, noon + 5 * minute);
    await next.onlineRecorder.begin();
    assert.deepEqual(await next.attended(), [
      [0, "ada", "joined"],
      [1_000, "ben", "joined"],
      [1_000, "ben", "timed_out"],
      [9_000, "ada", "server_restart"],
    ]);
    await next.onlineRecorder.stop();
    next.recovery.stop();
    assert.deepEqual([next.logged, next.clock.timers, next.realtime.listeners], [[], 0, 0]);
  });

  it("records users who joined before it began, and only users of its own app", async () => {
    const { clock, realtime, onlineRecorder, attended } = await simulate(await store.open(), noon);
    realtime.join("early");
    clock.advance(10);
    await onlineRecorder.begin();
    const other = { userId: "other", member: { id: "other", info: "{}" } };
    realtime.tell({ name: "member_added", channel: onlineChannel, ...other }, "another");
    realtime.tell({ name: "member_added", channel: "presence-room", ...other });
    await onlineRecorder.stop();
    assert.deepEqual(await attended(), [[0, "early", "joined"]]);
  });

  it("knows at once what a user did, although it is stored later", async () => {
    const { realtime, onlineRecorder } = await simulate(await store.open(), noon);
    await onlineRecorder.begin();
    realtime.join("ada");
    realtime.join("ben");
    const activity = await onlineRecorder.activityOf("ada", { limit: 10 });
    assert.deepEqual(activity.map(({ userId, change }) => [userId, change]), [["ada", "joined"]]);
    await onlineRecorder.stop();
  });

  it("records nothing where pages connect to another server", async () => {
    const { realtime, onlineRecorder, attended } = await simulate(
      await store.open(),
      noon,
      30,
      false,
    );
    realtime.join("ada");
    await onlineRecorder.begin();
    assert.equal(realtime.listeners, 0);
    await onlineRecorder.stop();
    assert.deepEqual(await attended(), []);
  });

  it("counts until sockets are closed, and records who left by that", async () => {
    const { clock, realtime, onlineRecorder, recorded, attended } = await simulate(
      await store.open(),
      noon,
    );
    await onlineRecorder.begin();
    for (const user of ["ada", "ben"]) realtime.join(user);
    clock.advance(30_000);
    const counted = onlineRecorder.stopCounting();
    clock.advance(3_000);
    for (const user of ["ada", "ben"]) realtime.leave(user, "server_restart");
    await counted;
    await onlineRecorder.stop();
    assert.deepEqual((await attended()).slice(2), [
      [33_000, "ada", "server_restart"],
      [33_000, "ben", "server_restart"],
    ]);
    const { points } = await recorded.history.read("hour", clock.date());
    const { measured } = points.at(-1)!;
    assert.deepEqual([measured?.lastUsers, measured?.measuredMs], [2, 30_000]);
  });

  it("shows no drop when users return after a restart, in any order and number", async () => {
    const database = await store.open();
    const joins = fc.record({ user: fc.nat(9), afterMs: fc.integer({ min: 0, max: 9_000 }) });
    const starts = fc.array(fc.array(joins, { minLength: 1 }), { minLength: 1, maxLength: 4 });
    let at = noon;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 10 }), starts, async (users, starts) => {
        const online = Array.from({ length: users }, (_, user) => `user-${user}`);
        at += 60 * minute;
        // The first start knows no number of users to wait for, so they are there at once.
        for (const returns of [[], ...starts]) {
          const { clock, realtime, onlineRecorder } = await simulate(database, at);
          if (returns.length === 0) { for (const user of online) realtime.join(user); }
          await onlineRecorder.begin();
          const next = [...returns, ...online.map((_, user) => ({ user, afterMs: 9_000 }))];
          for (const { user, afterMs } of next.toSorted((a, b) => a.afterMs - b.afterMs)) {
            clock.advance(Math.max(0, at + afterMs - clock.date()));
            if (user < users && !realtime.has(online[user])) realtime.join(online[user]);
          }
          clock.advance(11_000);
          await onlineRecorder.stopCounting();
          await onlineRecorder.stop();
          at = clock.date() + 1_000;
        }
        const { points } = await new History(database).read("hour", at);
        for (const { measured } of points) {
          if (measured) {
            assert.deepEqual([measured.fewestUsers, measured.mostUsers], [users, users]);
          }
        }
        assert.ok(points.some(({ measured }) => measured));
        await database.queries.deleteFrom("onlineInterval").execute();
      }),
      { numRuns: 20 },
    );
  });

  it("shows a drop when some have not returned half a minute after a restart", async () => {
    const database = await store.open();
    const before = await simulate(database, noon);
    for (const user of ["ada", "ben"]) before.realtime.join(user);
    await before.onlineRecorder.begin();
    before.clock.advance(1_000);
    await before.onlineRecorder.stop();
    const { clock, realtime, onlineRecorder, recorded } = await simulate(database, noon + minute);
    await onlineRecorder.begin();
    realtime.join("ada");
    clock.advance(29_999);
    assert.deepEqual(recorded.unsaved(), []);
    clock.advance(10_001);
    assert.equal(recorded.unsaved()[0].fewestUsers, 1);
    assert.equal(recorded.unsaved()[0].measuredMs, 10_000);
    await onlineRecorder.stop();
  });

  it("begins a history with the first user, not with a zero before", async () => {
    const { clock, realtime, onlineRecorder, recorded } = await simulate(await store.open(), noon);
    await onlineRecorder.begin();
    clock.advance(5_000);
    realtime.join("ada");
    clock.advance(1_000);
    assert.deepEqual(recorded.unsaved().map(({ fewestUsers }) => fewestUsers), [1]);
    await onlineRecorder.stop();
  });

  it("deletes entries older than the set number of days, and none for 0", async () => {
    const database = await store.open();
    const old = await simulate(database, noon);
    await old.onlineRecorder.begin();
    old.realtime.join("ada");
    old.realtime.leave("ada", "closed");
    await old.onlineRecorder.stop();
    for (const [days, later, kept] of [[0, 9 * day, 2], [2, 2 * day, 2], [2, 2 * day + 1, 0]]) {
      const { onlineRecorder, attended } = await simulate(database, noon + later, days);
      await onlineRecorder.begin();
      await onlineRecorder.stop();
      assert.equal((await attended()).length, kept, `${days} days`);
    }
  });
});
