import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { connectRedis } from "../../../cluster/redis/connection.ts";
import type { Redis, RedisReply } from "../../../cluster/redis/redis.ts";
import { logKey, topicOf } from "../../../cluster/state/keys.ts";
import { RedisState } from "../../../cluster/state/redis_state.ts";
import type { SharedState } from "../../../cluster/state/shared_state.ts";
import { until } from "../../fixtures/eventually.ts";
import { sharedRedis } from "../../fixtures/redis.ts";
import {
  answerOf,
  histories,
  leaseMs,
  type Message,
  messageOf,
  rooms,
  type Step,
  Witness,
} from "./histories.ts";
import { type LogEntry, MemoryState } from "./memory_state.ts";

const start = 1_800_000_000_000_000;

describe("RedisState", () => {
  let server: Awaited<ReturnType<typeof sharedRedis>>;
  let redis: Redis;

  beforeAll(async () => {
    server = await sharedRedis();
    redis = await connectRedis({ url: server.address });
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
        { numRuns: 300 },
      );
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
          for (const node of ["1.1", "1.2", "2.1", "3.1"]) await tested.state.drop(node);
          const kept = (await tested.keys()).filter((key) => !/:(data|log|leader)$/.test(key));
          for (const key of kept) {
            const ttlMs = await redis.command(["PTTL", key]);
            assert.ok(Number(ttlMs) > 0 && Number(ttlMs) <= 3_600_000, `${key} stays`);
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
    const changed = "room" in step ? [rooms[step.room]] : rooms;
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
    witness.follow(step, answer, nowMs);
    witness.receive(messages);
    witness.checkLog(log, messages, step.call === "hold" && step.isRepeated);
    const ofModel = await Promise.all(changed.map((room) => model.read(room)));
    assert.deepEqual(opened.map(sorted), ofModel.map(sorted), "rooms");
    witness.checkRooms(new Map(changed.map((room, index) => [room, opened[index]])));
  }
  assert.deepEqual(await tested.summary(tested.state), await tested.summary(model), "summary");
  for (const [room, userId, number] of await tested.holders()) {
    assert.equal(number, witness.holdersOf(room, userId), `holders of ${userId}`);
  }
}

/** The state in Redis with a clock that tests move, and all that it sends. */
class TestedState {
  readonly prefix = `${crypto.randomUUID()}:`;
  readonly state: RedisState;
  readonly #redis: Redis;
  #messages: Message[] = [];
  #barriers = 0;
  #passed = 0;
  #serverId = 0;
  #lastLogged = "0";
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

  async reset(): Promise<void> {
    this.micros = start;
    await this.clear();
    await this.received();
  }

  async clear(): Promise<void> {
    this.#lastLogged = "0";
    const keys = await this.keys();
    if (keys.length > 0) await this.#redis.command(["DEL", ...keys]);
    await this.wait(0);
  }

  changeServer(): void {
    this.#serverId++;
  }

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
  async newLog(): Promise<LogEntry[]> {
    const from = `(${this.#lastLogged}`;
    const reply = await this.#redis.command(["XRANGE", logKey(this.prefix), from, "+"]);
    return listOf(reply).map((entry) => {
      const [id, fields] = listOf(entry);
      this.#lastLogged = String(id);
      const [, version, , text, , member] = listOf(fields);
      assert.equal(version, "1");
      return { ...JSON.parse(String(text)), ...(member !== undefined && { member }) };
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
function sorted(value: unknown): unknown {
  if (value instanceof Map) return new Map([...value].sort());
  if (Array.isArray(value)) return value.map(sorted).sort();
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, sorted(part)]));
}

function withoutOrder(list: readonly object[]): string[] {
  return list.map((item) => {
    const named = Object.entries(item).filter(([name]) => name !== "p" && name !== "n");
    return JSON.stringify(named.sort(([a], [b]) => a < b ? -1 : 1));
  }).sort();
}
