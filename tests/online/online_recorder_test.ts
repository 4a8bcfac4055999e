import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { onlineChannel } from "../../channels.ts";
import { OnlineRecorder } from "../../online/online_recorder.ts";
import type {
  LeaveReason,
  LogEntry,
  PresenceListener,
  ServerEvent,
  ServerEventListener,
} from "../../realtime/server.ts";
import { appSettings } from "../../realtime/app_config.ts";
import { beat } from "../../online/heartbeat.ts";
import type { Database } from "../../database/database.ts";
import { describeOnEachDatabase } from "../fixtures/databases.ts";
import { ManualClock } from "../realtime/manual_clock.ts";

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

  presence = () => {
    const userIds = [...this.#since.keys()];
    return { userIds, users: userIds.length, connections: userIds.length };
  };

  onServerEvent = (listener: ServerEventListener) => {
    this.#listener = listener;
    this.listeners++;
    return () => this.listeners--;
  };

  onPresence = (_channel: string, listener: PresenceListener) => {
    this.#counted = listener;
    this.listeners++;
    return () => {
      this.#counted = () => {};
      this.listeners--;
    };
  };

  join(userId: string): void {
    this.#since.set(userId, this.clock.date());
    this.tell({ name: "member_added", channel: onlineChannel, userId });
  }

  leave(userId: string, reason: LeaveReason): void {
    this.#since.delete(userId);
    this.tell({ name: "member_removed", channel: onlineChannel, userId, reason });
  }

  tell(event: ServerEvent, appId = "own"): void {
    this.#listener(event, app(appId));
    this.#counted(this.presence());
  }
}

function stage(database: Database, at: number, activityDays = 30) {
  const clock = new ManualClock();
  clock.advance(at);
  const realtime = new FakeRealtime(clock);
  const logged: LogEntry[] = [];
  const onlineRecorder = new OnlineRecorder({
    ...{
      database,
      realtime,
      ownApp: () => realtime,
      clock,
      activityDays,
      isCountedHere: true,
      appId: "own",
    },
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
  return { clock, realtime, onlineRecorder, logged, attended };
}

describeOnEachDatabase("the onlineRecorder", (store) => {
  it("records a leave at the last heartbeat for everyone online when a server was killed", async () => {
    const database = await store.open();
    const killed = stage(database, noon);
    await killed.onlineRecorder.begin();
    killed.realtime.join("ada");
    killed.clock.advance(1_000);
    killed.realtime.join("ben");
    killed.realtime.leave("ben", "timed_out");
    // What a kill leaves behind: all that was stored, and a sign of life.
    await killed.onlineRecorder.stop();
    await beat(database, noon + 9_000);
    const next = stage(database, noon + 5 * minute);
    await next.onlineRecorder.begin();
    assert.deepEqual(await next.attended(), [
      [0, "ada", "joined"],
      [1_000, "ben", "joined"],
      [1_000, "ben", "timed_out"],
      [9_000, "ada", "server_restart"],
    ]);
    await next.onlineRecorder.stop();
    assert.deepEqual([next.logged, next.clock.timers, next.realtime.listeners], [[], 0, 0]);
  });

  it("records users who joined before it began, and only those of its own app", async () => {
    const { clock, realtime, onlineRecorder, attended } = stage(await store.open(), noon);
    realtime.join("early");
    clock.advance(10);
    await onlineRecorder.begin();
    realtime.tell({ name: "member_added", channel: onlineChannel, userId: "other" }, "another");
    realtime.tell({ name: "member_added", channel: "presence-room", userId: "other" });
    await onlineRecorder.stop();
    assert.deepEqual(await attended(), [[0, "early", "joined"]]);
  });

  it("counts until sockets are closed, and records who left by that", async () => {
    const { clock, realtime, onlineRecorder, attended } = stage(await store.open(), noon);
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
    const { points } = await onlineRecorder.history.read("hour", clock.date());
    const { measured } = points.at(-1)!;
    assert.deepEqual([measured?.lastUsers, measured?.measuredMs], [2, 30_000]);
  });

  it("deletes entries older than the set number of days, and none for 0", async () => {
    const database = await store.open();
    const old = stage(database, noon);
    await old.onlineRecorder.begin();
    old.realtime.join("ada");
    old.realtime.leave("ada", "closed");
    await old.onlineRecorder.stop();
    for (const [days, later, kept] of [[0, 9 * day, 2], [2, 2 * day, 2], [2, 2 * day + 1, 0]]) {
      const { onlineRecorder, attended } = stage(database, noon + later, days);
      await onlineRecorder.begin();
      await onlineRecorder.stop();
      assert.equal((await attended()).length, kept, `${days} days`);
    }
  });
});
