import type { LogEntry } from "../../options.ts";
import type { Redis } from "./redis.ts";

/** Bytes that may wait for a server which receives messages; below them a burst of joins ends its connection. */
const leastOutputBytes = { hard: 256 * 2 ** 20, soft: 64 * 2 ** 20 };

/** Settings of a Redis that Rollcall depends on; undefined where Redis does not show one. */
export interface RedisSettings {
  /** `maxmemory-policy`. */
  evictionPolicy?: string;
  /** `client-output-buffer-limit` of subscribers, in bytes; 0 is no limit. */
  subscriberOutput?: { hard: number; soft: number };
}

/** What to change, a sentence for each setting that would lose members or messages. */
export function redisWarnings({ evictionPolicy, subscriberOutput }: RedisSettings): string[] {
  const warnings: string[] = [];
  if (evictionPolicy !== undefined && evictionPolicy !== "noeviction") {
    warnings.push(
      `Redis drops keys when its memory is full (maxmemory-policy ${evictionPolicy}), which takes ` +
        "users off the list. Set: maxmemory-policy noeviction",
    );
  }
  const isTooSmall = (limit: number, least: number) => limit !== 0 && limit < least;
  if (
    subscriberOutput &&
    (isTooSmall(subscriberOutput.hard, leastOutputBytes.hard) ||
      isTooSmall(subscriberOutput.soft, leastOutputBytes.soft))
  ) {
    warnings.push(
      "Redis ends the connection of a server that is behind in a burst of joins. " +
        "Set: client-output-buffer-limit pubsub 256mb 128mb 60",
    );
  }
  return warnings;
}

/** Warns of settings of Redis, once each. What Redis does not show is not warned of. Never rejects. */
export async function warnOfRedisSettings(
  redis: Redis,
  log: (entry: LogEntry) => void,
): Promise<void> {
  // A user of Redis may be allowed INFO and not CONFIG; then one of both is known.
  const textOf = async (words: string[]) =>
    JSON.stringify(await redis.command(words).catch(() => ""));
  const [memory, output] = await Promise.all([
    textOf(["INFO", "memory"]),
    textOf(["CONFIG", "GET", "client-output-buffer-limit"]),
  ]);
  const [, evictionPolicy] = /maxmemory_policy:([a-z-]+)/.exec(memory) ?? [];
  const [, hard, soft] = /pubsub (\d+) (\d+)/.exec(output) ?? [];
  const subscriberOutput = hard === undefined
    ? undefined
    : { hard: Number(hard), soft: Number(soft) };
  for (const message of redisWarnings({ evictionPolicy, subscriberOutput })) {
    log({ level: "warn", message });
  }
}
