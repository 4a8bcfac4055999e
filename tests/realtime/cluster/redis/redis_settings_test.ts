import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { connectRedis } from "@/realtime/cluster/redis/redis_connection.ts";
import { redisWarnings, warnOfRedisSettings } from "@/realtime/cluster/redis/redis_settings.ts";
import { startRedis } from "../../../fixtures/redis.ts";

async function warningsOf(address: string): Promise<string[]> {
  const redis = await connectRedis({ url: address });
  const warnings: string[] = [];
  try {
    await warnOfRedisSettings(redis, ({ message }) => warnings.push(message));
  } finally {
    await redis.close();
  }
  return warnings;
}

describe("the settings of Redis", () => {
  it("are warned of, one line each that says what to set, until they are right", async () => {
    const server = await startRedis({
      settings: {
        "maxmemory-policy": "allkeys-lru",
        "client-output-buffer-limit": "pubsub 32mb 8mb 60",
      },
    });
    try {
      const [policy, output, ...more] = await warningsOf(server.address);
      assert.match(policy, /allkeys-lru.*Set: maxmemory-policy noeviction$/);
      assert.match(output, /Set: client-output-buffer-limit pubsub 256mb 128mb 60$/);
      assert.deepEqual(more, []);
      await server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
      const wanted = "pubsub 256mb 128mb 60";
      await server.command("CONFIG", "SET", "client-output-buffer-limit", wanted);
      assert.deepEqual(await warningsOf(server.address), []);
    } finally {
      await server.stop();
    }
  });

  it("that Redis does not show are not warned of, nor is a limit of 0", () => {
    assert.deepEqual(redisWarnings({}), []);
    assert.deepEqual(redisWarnings({ subscriberOutput: { hard: 0, soft: 0 } }), []);
  });
});
