import type { LogEntry } from "../../options.ts";
import type { Engine, LogPart, SharedLog } from "../engine.ts";
import { RedisState } from "../state/redis_state.ts";
import type { Redis, RedisScript } from "./redis.ts";
import { connectRedis } from "./redis_connection.ts";
import { warnOfRedisSettings } from "./redis_settings.ts";
import { z } from "zod";
import { logKey, logLength } from "../state/shared_state.ts";
import { readEntry } from "../leader/log_entry.ts";

/** The group and its only consumer. */
const group = "leader";

/**
 * Arguments: prefix of keys, name of the node, the id after which to read what was read and not acknowledged, or `>`
 * for what is new; how many entries.
 *
 * Replies `not_leading`, or whether there was no group (the data is new), when the data set began, and the entries.
 */
const readScript: RedisScript = {
  text: `
local prefix, node, from, count = unpack(ARGV)
local leader = redis.call('GET', prefix .. 'leader')
if not leader or string.sub(leader, string.find(leader, ' ', 1, true) + 1) ~= node then
  return 'not_leading'
end
local function read()
  return redis.pcall('XREADGROUP', 'GROUP', '${group}', '${group}', 'COUNT', count,
    'STREAMS', prefix .. 'log', from)
end
local isNew = 0
local reply = read()
if type(reply) == 'table' and reply.err and string.find(reply.err, 'NOGROUP', 1, true) then
  redis.call('XGROUP', 'CREATE', prefix .. 'log', '${group}', '0', 'MKSTREAM')
  isNew = 1
  reply = read()
end
if type(reply) == 'table' and reply.err then return reply end
local began = redis.call('HGET', prefix .. 'data', 'began') or ''
return { isNew, began, reply and reply[1] and reply[1][2] or {} }
`,
};

const lines = z.array(z.tuple([z.string(), z.array(z.string()).nullable()]));
const reply = z.union([z.literal("not_leading"), z.tuple([z.number(), z.string(), lines])]);

/** Entries that are looked through at a time. */
const readAtOnce = 500;

/** The log in Redis: a stream. */
export class RedisLog implements SharedLog {
  readonly #redis: Redis;
  readonly #prefix: string;

  /** @param prefix of the keys in Redis */
  constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  async append(fields: readonly string[]): Promise<void> {
    const length = ["MAXLEN", "~", String(logLength)];
    await this.#redis.command(["XADD", this.#key, ...length, "*", ...fields]);
  }

  async read(node: string, after: string, count: number): Promise<LogPart | "not_leading"> {
    const words = [this.#prefix, node, after, String(count)];
    const read = reply.parse(await this.#redis.run(readScript, words));
    if (read === "not_leading") return read;
    const [isNew, began, found] = read;
    return { isNew: isNew === 1, began, lines: found };
  }

  async acknowledge(ids: readonly string[]): Promise<void> {
    await this.#redis.command(["XACK", this.#key, group, ...ids]);
  }

  async trim(before: number): Promise<void> {
    await this.#redis.command(["XTRIM", this.#key, "MINID", "~", `${before}-0`]);
  }

  async forget(appId: string, userId: string): Promise<void> {
    let start = "-";
    while (true) {
      const range = ["XRANGE", this.#key, start, "+", "COUNT", String(readAtOnce)];
      const found = lines.parse(await this.#redis.command(range));
      const theirs = found.filter(([id, fields]) => {
        const entry = readEntry(id, fields ?? []);
        if (!("logged" in entry)) return false;
        const { appId: ofApp, event } = entry.logged;
        return ofApp === appId && "userId" in event && event.userId === userId;
      });
      if (theirs.length > 0) {
        await this.#redis.command(["XDEL", this.#key, ...theirs.map(([id]) => id)]);
      }
      if (found.length < readAtOnce) return;
      start = `(${found[found.length - 1][0]}`;
    }
  }

  get #key(): string {
    return logKey(this.#prefix);
  }
}

/** A place in a Redis. */
export interface RedisPlace {
  /** As `REDIS_URL` has it. */
  readonly url: string;
  /** Of all keys and topics. */
  readonly prefix: string;
  readonly leaseMs: number;
  readonly log: (entry: LogEntry) => void;
}

/** What servers share in Redis. */
export class RedisEngine implements Engine {
  readonly name = "Redis";
  readonly place = "redis";
  readonly link: Redis;
  readonly state: RedisState;
  readonly log: RedisLog;
  readonly prefix: string;

  private constructor(redis: Redis, { leaseMs, prefix }: RedisPlace) {
    this.link = redis;
    this.prefix = prefix;
    this.state = new RedisState({ redis, prefix, leaseMs });
    this.log = new RedisLog(redis, prefix);
  }

  /**
   * Connects.
   *
   * @throws {Error} with one line, without a password, when Redis cannot be used.
   */
  static async open(options: RedisPlace): Promise<RedisEngine> {
    const { log, url } = options;
    const redis = await connectRedis({
      url,
      onProblem: (reason) => log({ level: "warn", message: "Redis is not reached", reason }),
    });
    await warnOfRedisSettings(redis, log);
    return new RedisEngine(redis, options);
  }
}
