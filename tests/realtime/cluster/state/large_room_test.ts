import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { connectRedis } from "@/realtime/cluster/redis/redis_connection.ts";
import type { Redis } from "@/realtime/cluster/redis/redis.ts";
import { RedisState } from "@/realtime/cluster/state/redis_state.ts";
import { type ClaimedUser, membersInSteps } from "@/realtime/cluster/state/shared_state.ts";
import { type RedisServer, startRedis } from "../../../fixtures/redis.ts";

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
      /lost its data/,
    );
  });
});
