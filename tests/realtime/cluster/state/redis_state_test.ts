import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { connectRedis } from "@/realtime/cluster/redis/redis_connection.ts";
import type { Redis } from "@/realtime/cluster/redis/redis.ts";
import { RedisState } from "@/realtime/cluster/state/redis_state.ts";
import { type ClaimedUser, membersInSteps } from "@/realtime/cluster/state/shared_state.ts";
import { type RedisServer, sharedRedis, startRedis } from "../../../fixtures/redis.ts";
import {
  answerOf,
  histories,
  isUnlogged,
  leaderHistory,
  leaseMs,
  rooms,
  type Step,
} from "./histories.ts";
import { MemoryState } from "./memory_state.ts";
import { sorted, TestedState } from "./tested_state.ts";
import { type Message, messageOf, Witness } from "./witness.ts";

describe("RedisState", () => {
  let server: Awaited<ReturnType<typeof sharedRedis>>;
  let redis: Redis;

  beforeAll(async () => {
    server = await sharedRedis();
    redis = await connectRedis({ url: server.address, timeoutMs: 30_000 });
  });

  afterAll(async () => {
    await redis.close();
    await server.stop();
  });

  it("answers, sends and logs what the model does, in 300 random histories", async () => {
    const tested = await TestedState.open(redis);
    try {
      await fc.assert(
        fc.asyncProperty(histories, (steps) => followBoth(tested, steps)),
        { numRuns: 300, examples: [[leaderHistory]] },
      );
    } finally {
      await tested.close();
    }
  });

  it("is settled a lease after the data set began, of which nodes reached it nearly all the time", async () => {
    const tested = await TestedState.open(redis);
    try {
      await tested.reset();
      const { state } = tested;
      const isSettledAfter = async (leases: number) => {
        await tested.wait(leases * leaseMs * 1_000);
        return (await state.read(rooms[0])).isSettled;
      };
      const { beganAt } = await state.begin("1.1", "{}");
      for (const part of [0.3, 0.3, 0.3]) assert.equal(await isSettledAfter(part), false);
      assert.equal(await isSettledAfter(0.5), false, "none was there for half of a lease");
      const heartbeat = await state.begin("1.1", "{}");
      assert.ok(heartbeat.beganAt > beganAt, "nodes notice it as they notice other data");
      for (const part of [0.3, 0.3, 0.3]) assert.equal(await isSettledAfter(part), false);
      assert.equal(await isSettledAfter(0.2), true);
      assert.equal(await isSettledAfter(10), true, "once settled, it stays so");
    } finally {
      await tested.close();
    }
  });

  it("leaves no key behind but what is of the data set, once all rooms are empty and all nodes dropped", async () => {
    const tested = await TestedState.open(redis);
    try {
      await fc.assert(
        fc.asyncProperty(histories, async (steps) => {
          await followBoth(tested, steps);
          await tested.wait(60_000_000);
          // Data that no node reached have to be settled again.
          for (let part = 0; part < 5; part++) {
            await tested.state.totals();
            await tested.wait(leaseMs * 1_000 / 4);
          }
          for (const node of ["1.1", "1.2", "2.1", "3.1"]) await tested.state.drop(node);
          const kept = (await tested.keys()).filter((key) => !/:(data|log|leader)$/.test(key));
          for (const key of kept) {
            const ttlMs = await redis.command(["PTTL", key]);
            assert.ok(Number(ttlMs) > 0 && Number(ttlMs) <= 60_000, `${key} stays`);
          }
        }),
        { numRuns: 50 },
      );
    } finally {
      await tested.close();
    }
  });
});

/** Does a history to Redis and to the model, and compares them. */
async function followBoth(tested: TestedState, steps: Step[]): Promise<void> {
  await tested.reset();
  let expected: Message[] = [];
  const model = new MemoryState({
    leaseMs,
    now: () => tested.micros / 1_000,
    publish: (room, text) => expected.push(messageOf(room, text)),
  });
  const witness = new Witness();
  let logged = 0;
  for (const step of steps) {
    if (step.call === "wait") await tested.wait(step.micros);
    if (step.call === "loseAll") {
      model.loseAll();
      await tested.clear();
      logged = 0;
    }
    if (step.call === "changeServer") {
      model.changeServer();
      tested.changeServer();
    }
    expected = [];
    const nowMs = Math.floor(tested.micros / 1_000);
    const answer = await answerOf(tested.state, step, nowMs);
    assert.deepEqual(sorted(answer), sorted(await answerOf(model, step, nowMs)), "answers");
    // An event takes the room of other apps' events.
    const isOfOne = "room" in step && step.call !== "publish";
    const changed = isOfOne ? [rooms[step.room]] : rooms;
    const [messages, log, opened] = await Promise.all([
      tested.received(),
      tested.newLog(),
      Promise.all(changed.map((room) => tested.state.read(room))),
    ]);
    // Several users leave in any order.
    const canonical = step.call === "drop" ? withoutOrder : (list: object[]) => list;
    assert.deepEqual(canonical(messages), canonical(expected), "messages");
    assert.deepEqual(canonical(log), canonical(model.log.slice(logged)), "log");
    logged = model.log.length;
    witness.follow(step, answer, nowMs, model.isRecovering);
    witness.receive(messages);
    witness.checkLog(log, messages, isUnlogged(step));
    const ofModel = await Promise.all(changed.map((room) => model.read(room)));
    assert.deepEqual(opened.map(sorted), ofModel.map(sorted), "rooms");
    witness.checkRooms(new Map(changed.map((room, index) => [room, opened[index]])));
  }
  assert.deepEqual(await tested.summary(tested.state), await tested.summary(model), "summary");
  for (const [room, userId, number] of await tested.holders()) {
    assert.equal(number, witness.holdersOf(room, userId), `holders of ${userId}`);
  }
}

function withoutOrder(list: readonly object[]): string[] {
  return list.map((item) => {
    const named = Object.entries(item).filter(([name]) => name !== "p" && name !== "n");
    return JSON.stringify(named.sort(([a], [b]) => a < b ? -1 : 1));
  }).sort();
}

const room = "app:presence-room";
const node = "1.1";

function user(userId: string): ClaimedUser {
  const rest = { isGuest: false, max: 0, app: "app", isRepeated: false };
  return { room, userId, member: JSON.stringify({ user_id: userId }), ...rest };
}

describe("a room in Redis", () => {
  let server: RedisServer;
  let redis: Redis;

  beforeAll(async () => {
    server = await startRedis();
    redis = await connectRedis({ url: server.address, timeoutMs: 30_000, pingMs: 50 });
  });

  afterAll(async () => {
    await redis.close();
    await server.stop();
  });

  it("has all members of a large room in steps, each of them short, who stay from the first to the last", async () => {
    const state = new RedisState({ redis, prefix: "p:", leaseMs: 60_000 });
    await state.begin(node, "{}");
    const users = Array.from({ length: 5_000 }, (_, index) => `u${index}`);
    await Promise.all(users.slice(0, 200).map((userId) => state.claim(node, user(userId))));
    const small = await state.read(room);
    assert.deepEqual([small.members.size, small.isLarge], [200, undefined]);
    await Promise.all(users.map((userId) => state.claim(node, user(userId))));
    const opened = await state.read(room);
    assert.deepEqual([opened.members.size, opened.isLarge], [0, true]);
    const found = new Map<string, string>();
    let steps = 0;
    for await (const members of membersInSteps(state, room, opened)) {
      assert.ok(members.size < 1_500);
      for (const [userId, text] of members) found.set(userId, text);
      // Others come and go meanwhile, and the table in Redis grows or shrinks.
      const own = users.slice(steps * 100, steps * 100 + 50);
      const claimed = own.map((userId) => state.claim(node, user(`new-${userId}`)));
      const left = own.map((userId) =>
        state.release(node, {
          room,
          userId,
          reason: "closed",
          deadline: Number.MAX_SAFE_INTEGER,
        })
      );
      await Promise.all([...claimed, ...left]);
      steps++;
    }
    assert.ok(steps > 3, `${steps} steps`);
    const stayed = users.filter((_, index) => index % 100 >= 50 || index >= steps * 100);
    assert.deepEqual(stayed.filter((userId) => !found.has(userId)), []);
    assert.equal(found.get("u4999"), user("u4999").member);
    await assert.rejects(
      Array.fromAsync(membersInSteps(state, room, { ...opened, beganAt: 1 })),
      /data were lost/,
    );
  });
});
