import assert from "node:assert/strict";
import type { Redis, RedisReply } from "@/realtime/cluster/redis/redis.ts";
import { logKey, type SharedState, topicOf } from "@/realtime/cluster/state/shared_state.ts";
import { RedisState } from "@/realtime/cluster/state/redis_state.ts";
import { until } from "../../../fixtures/eventually.ts";
import { leaseMs, rooms } from "./histories.ts";
import type { RoomEvent } from "@/realtime/cluster/state/memory/memory_rooms.ts";
import { type Message, messageOf } from "./witness.ts";

/** The first microsecond of each history. */
const start = 1_800_000_000_000_000;

/** The state in Redis with a clock that tests move, and all that it sends. */
export class TestedState {
  readonly prefix = `${crypto.randomUUID()}:`;
  readonly state: RedisState;
  readonly #redis: Redis;
  #messages: Message[] = [];
  #barriers = 0;
  #passed = 0;
  #serverId = 0;
  #lastLogged = "0";
  /** The clock, in microseconds since 1970. */
  micros = start;

  private constructor(redis: Redis) {
    this.#redis = redis;
    const serverId = () => String(this.#serverId);
    this.state = new RedisState({
      redis: {
        ...redis,
        get serverId() {
          return serverId();
        },
        command: (words) => redis.command(words),
        run: (script, args) => redis.run(script, args),
      },
      prefix: this.prefix,
      leaseMs,
      clockKey: this.#clockKey,
    });
  }

  /** Follows the rooms of the histories, under a prefix of its own. */
  static async open(redis: Redis): Promise<TestedState> {
    const tested = new TestedState(redis);
    for (const room of rooms) {
      await redis.subscribe(topicOf(tested.prefix, room), (text) => {
        tested.#messages.push(messageOf(room, text));
      });
    }
    await redis.subscribe(`${tested.prefix}barrier`, (text) => tested.#passed = Number(text));
    return tested;
  }

  /** Empties the data, and sets the clock back. */
  async reset(): Promise<void> {
    this.micros = start;
    await this.clear();
    await this.received();
  }

  /** Empties the data, as `FLUSHALL` does. */
  async clear(): Promise<void> {
    this.#lastLogged = "0";
    const keys = await this.keys();
    if (keys.length > 0) await this.#redis.command(["DEL", ...keys]);
    await this.wait(0);
  }

  /** The data are on another server from now on. */
  changeServer(): void {
    this.#serverId++;
  }

  /** Sets the clock forward. */
  async wait(micros: number): Promise<void> {
    this.micros += micros;
    await this.#redis.command(["SET", this.#clockKey, String(this.micros)]);
  }

  /** What came since the last call. */
  async received(): Promise<Message[]> {
    const barrier = ++this.#barriers;
    await this.#redis.command(["PUBLISH", `${this.prefix}barrier`, String(barrier)]);
    if (this.#passed < barrier) await until(() => this.#passed >= barrier, "the messages came");
    const messages = this.#messages;
    this.#messages = [];
    return messages;
  }

  /** The entries of the log since the last call. */
  async newLog(): Promise<RoomEvent[]> {
    const from = `(${this.#lastLogged}`;
    const reply = await this.#redis.command(["XRANGE", logKey(this.prefix), from, "+"]);
    return listOf(reply).map((entry) => {
      const [id, fields] = listOf(entry);
      this.#lastLogged = String(id);
      const [, version, , text, , member] = listOf(fields);
      const event = JSON.parse(String(text));
      assert.equal(version, event.name === "member_updated" ? "2" : "1");
      return { ...event, ...(member !== undefined && { member }) };
    });
  }

  /** What the questions about several rooms and nodes answer. */
  async summary(state: SharedState): Promise<unknown> {
    return sorted([
      await state.sizes(rooms),
      await state.occupied("a"),
      await state.occupied("b:1"),
      await state.totals(),
    ]);
  }

  /** How many nodes hold whom: room, user, number. */
  async holders(): Promise<[string, string, number][]> {
    const lists = await Promise.all(rooms.map(async (room) => {
      const flat = listOf(await this.#redis.command(["HGETALL", `${this.prefix}holders:${room}`]));
      return flat.flatMap((user, index): [string, string, number][] =>
        index % 2 === 0 ? [[room, String(user), Number(flat[index + 1])]] : []
      );
    }));
    return lists.flat();
  }

  /** All keys but the clock. */
  async keys(): Promise<string[]> {
    const reply = listOf(await this.#redis.command(["KEYS", `${this.prefix}*`]));
    return reply.map(String).filter((key) => key !== this.#clockKey);
  }

  /** Leaves nothing behind. */
  async close(): Promise<void> {
    await this.clear();
    await this.#redis.command(["DEL", this.#clockKey]);
    for (const room of rooms) await this.#redis.unsubscribe(topicOf(this.prefix, room));
    await this.#redis.unsubscribe(`${this.prefix}barrier`);
  }

  get #clockKey(): string {
    return `${this.prefix}clock`;
  }
}

function listOf(reply: RedisReply): RedisReply[] {
  assert.ok(Array.isArray(reply));
  return reply;
}

/** Redis keeps no order in its hashes and sets. */
export function sorted(value: unknown): unknown {
  if (value instanceof Map) return new Map([...value].sort());
  if (Array.isArray(value)) return value.map(sorted).sort();
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, sorted(part)]));
}
