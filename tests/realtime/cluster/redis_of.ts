import type { Cluster } from "@/realtime/cluster/cluster.ts";
import type { Redis } from "@/realtime/cluster/redis/redis.ts";
import type { RedisEngine } from "@/realtime/cluster/redis/redis_engine.ts";

/** The Redis in which a server shares its users. */
export function redisOf({ engine }: Cluster): Redis {
  return (engine as RedisEngine).link;
}
