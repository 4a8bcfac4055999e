import { z } from "zod";
import type { Redis, RedisReply, RedisScript } from "../redis/redis.ts";
import {
  type CachedText,
  type ClaimedUser,
  type Heartbeat,
  type OpenedRoom,
  type ReleaseReply,
  type ScannedMembers,
  type SharedState,
  topicOf,
  type UpdatedMember,
  type UpdateReply,
  type UserClaimReply,
} from "./shared_state.ts";
import { bodies } from "./scripts/bodies.ts";
import { rulesWith } from "./scripts/rules.ts";

/** Options of {@link RedisState}. */
export interface RedisStateOptions {
  readonly redis: Redis;
  /** Of all keys and topics. */
  readonly prefix: string;
  /** How long a lease is from its last heartbeat on, in milliseconds; the same for all nodes. */
  readonly leaseMs: number;
  /** For tests: a key with the time in microseconds since 1970. By default it is Redis' own. */
  readonly clockKey?: string;
}

type ScriptName = keyof typeof bodies;

/** Members in one step of a scan, about: Redis takes a millisecond for them, and this process a few. */
const scannedAtOnce = "1000";

/** Rooms in one step. */
const sizesAtATime = 500;

const names = z.array(z.string());
const heartbeatReply = z.tuple([z.int(), z.int(), names, names, names]);
const lost = z.literal("lost");
const heartbeatOrLost = z.union([lost, heartbeatReply]);
const countOrLost = z.union([lost, z.int()]);
const textsOrNone = z.array(z.string().nullable());
const yes = z.union([z.literal(0), z.literal(1)]).transform((reply) => reply === 1);
const pairs = z.array(z.string()).refine(({ length }) => length % 2 === 0).transform(mapOf);
const readReply = z.tuple([
  z.string().regex(/^\d{1,16}$/).transform(Number),
  yes,
  z.int(),
  z.string(),
  z.int(),
  z.int(),
  yes,
  pairs,
]);
const cachedReply = z.tuple([z.int(), z.string()]);
const claimReply = z.enum(["held", "already", "full", "full_members", "lost"]);
const updateReply = z.enum(["updated", "changed", "absent", "late"]);
const releaseReply = z.enum(["released", "not_held", "late", "lost"]);

/** The shared data in Redis. Each change is a script, which runs as one step. */
export class RedisState implements SharedState {
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #leaseMs: string;
  readonly #scripts: Record<ScriptName, RedisScript>;

  constructor({ redis, prefix, leaseMs, clockKey }: RedisStateOptions) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#leaseMs = String(leaseMs);
    this.#scripts = clockKey === undefined ? scripts : scriptsWith(clockOf(clockKey));
  }

  async begin(node: string, totals: string): Promise<Heartbeat> {
    return heartbeatOf(await this.#run("begin", heartbeatReply, node, totals));
  }

  async heartbeat(node: string, totals: string): Promise<Heartbeat | "lost"> {
    const reply = await this.#run("heartbeat", heartbeatOrLost, node, totals);
    return reply === "lost" ? reply : heartbeatOf(reply);
  }

  async exit(node: string, afterMs: number): Promise<void> {
    await this.#run("exit", yes, node, String(afterMs));
  }

  async drop(node: string): Promise<boolean> {
    return await this.#run("drop", yes, node);
  }

  async claim(node: string, user: ClaimedUser): Promise<UserClaimReply> {
    const { room, userId, member, isGuest, max, maxFull = "", app = "", isRepeated } = user;
    const flags = [flag(isGuest), String(max), app, flag(isRepeated), String(maxFull)];
    return await this.#run("claim", claimReply, node, room, userId, member, ...flags);
  }

  async release(
    node: string,
    user: { room: string; userId: string; app?: string; reason: string; deadline: number },
  ): Promise<ReleaseReply> {
    const { room, userId, app = "", reason, deadline } = user;
    const words = [room, userId, app, reason, String(Math.floor(deadline))];
    return await this.#run("release", releaseReply, node, ...words);
  }

  async update(
    { room, userId, before = "", member, app = "" }: UpdatedMember,
  ): Promise<UpdateReply> {
    return await this.#run("update", updateReply, room, userId, before, member, app);
  }

  async read(room: string): Promise<OpenedRoom> {
    const reply = await this.#run("read", readReply, room);
    const [version, isSettled, ttlMs, text, subscribers, beganAt, isLarge, members] = reply;
    const opened: OpenedRoom = { version, isSettled, beganAt, members, subscribers };
    return {
      ...opened,
      ...isLarge && { isLarge },
      ...ttlMs > 0 && { cached: { text, ttlMs } },
    };
  }

  async scan(room: string, cursor: string): Promise<ScannedMembers> {
    const key = `${this.#prefix}members:${room}`;
    const reply = await this.#redis.command(["HSCAN", key, cursor, "COUNT", scannedAtOnce]);
    if (!isScanReply(reply)) throw new Error("Redis' reply to HSCAN is not as expected");
    return { cursor: reply[0], members: mapOf(reply[1]) };
  }

  async members(room: string, userIds: readonly string[]): Promise<string[]> {
    if (userIds.length === 0) return [];
    const key = `${this.#prefix}members:${room}`;
    const reply = await this.#redis.command(["HMGET", key, ...userIds]);
    return valid("HMGET", textsOrNone, reply).filter((text) => text !== null);
  }

  async cached(room: string): Promise<OpenedRoom["cached"]> {
    const [ttlMs, text] = await this.#run("cached", cachedReply, room);
    return ttlMs > 0 ? { text, ttlMs } : undefined;
  }

  async subscribers(
    node: string,
    room: string,
    count: number,
    app = "",
    isRepeated = false,
  ): Promise<number | "lost"> {
    const words = [node, room, String(count), app, flag(isRepeated)];
    return await this.#run("subscribers", countOrLost, ...words);
  }

  async publish(
    room: string,
    message: string,
    cached?: CachedText,
  ): Promise<void> {
    if (cached) {
      const { maxBytes, text, ttlMs } = cached;
      const limits = [String(Math.ceil(ttlMs)), String(maxBytes)];
      await this.#run("publish", yes, room, message, text, ...limits);
    } else {
      await this.#redis.command(["PUBLISH", topicOf(this.#prefix, room), message]);
    }
  }

  async occupied(app: string): Promise<string[]> {
    const reply = await this.#redis.command(["SMEMBERS", `${this.#prefix}occupied:${app}`]);
    return valid("occupied", names, reply);
  }

  async sizes(rooms: readonly string[]): Promise<{ members: number; subscribers: number }[]> {
    const sizes: { members: number; subscribers: number }[] = [];
    for (let start = 0; start < rooms.length; start += sizesAtATime) {
      const some = rooms.slice(start, start + sizesAtATime);
      const reply = await this.#run("sizes", z.array(z.int()).length(2 * some.length), ...some);
      for (let index = 0; index < reply.length; index += 2) {
        sizes.push({ members: reply[index], subscribers: reply[index + 1] });
      }
    }
    return sizes;
  }

  async totals(): Promise<ReadonlyMap<string, string>> {
    return await this.#run("totals", pairs);
  }

  async lead(node: string, ms: number): Promise<boolean> {
    return await this.#run("lead", yes, node, String(ms));
  }

  async resign(node: string): Promise<void> {
    await this.#run("resign", yes, node);
  }

  async #run<Reply>(
    name: ScriptName,
    schema: z.ZodType<Reply>,
    ...words: string[]
  ): Promise<Reply> {
    const args = [this.#prefix, this.#leaseMs, this.#redis.serverId, ...words];
    return valid(name, schema, await this.#redis.run(this.#scripts[name], args));
  }
}

const redisTime = "(function(time) return time[1] * 1000000 + time[2] end)(redis.call('TIME'))";
const scripts = scriptsWith(redisTime);

function clockOf(key: string): string {
  return `tonumber(redis.call('GET', ${JSON.stringify(key)}))`;
}

function scriptsWith(clock: string): Record<ScriptName, RedisScript> {
  const rules = rulesWith(clock);
  const entries = Object.entries(bodies).map(([name, body]) => [name, { text: rules + body }]);

  return Object.fromEntries(entries);
}

function valid<Reply>(name: string, schema: z.ZodType<Reply>, reply: RedisReply): Reply {
  const { data, error } = schema.safeParse(reply);
  if (error) {
    throw new Error(`Redis' reply to ${name} is not as expected: ${error.issues[0].message}`);
  }
  return data as Reply;
}

function heartbeatOf(
  [now, beganAt, nodes, expired, exited]: z.infer<typeof heartbeatReply>,
): Heartbeat {
  return { now, beganAt, nodes, expired, exited };
}

function mapOf(flat: string[]): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (let index = 0; index < flat.length; index += 2) map.set(flat[index], flat[index + 1]);
  return map;
}

/** Without zod, which takes as long as Redis does. */
function isScanReply(reply: RedisReply): reply is [string, string[]] {
  if (!Array.isArray(reply) || reply.length !== 2) return false;
  const [cursor, pairs] = reply;
  return typeof cursor === "string" && Array.isArray(pairs) && pairs.length % 2 === 0 &&
    pairs.every((text) => typeof text === "string");
}

function flag(value: boolean): string {
  return value ? "1" : "0";
}
