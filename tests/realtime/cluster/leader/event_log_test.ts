import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { EventLog, type EventLogOptions } from "@/realtime/cluster/leader/event_log.ts";
import { type LoggedEvent, LogWriter } from "@/realtime/cluster/leader/log_entry.ts";
import { connectRedis } from "@/realtime/cluster/redis/redis_connection.ts";
import type { Redis, RedisReply } from "@/realtime/cluster/redis/redis.ts";
import { RedisLog } from "@/realtime/cluster/redis/redis_engine.ts";
import { logKey } from "@/realtime/cluster/state/shared_state.ts";
import { RedisState } from "@/realtime/cluster/state/redis_state.ts";
import { appSettings } from "@/realtime/app_config.ts";
import type { LogEntry } from "@/realtime/server.ts";
import { until } from "../../../fixtures/eventually.ts";
import { type RedisServer, startRedis } from "../../../fixtures/redis.ts";
import { partOf } from "../../../fixtures/doubles.ts";

let server: RedisServer;
let prefixes = 0;

/** An installation whose log is read by nodes of the test. */
class LogHarness implements AsyncDisposable {
  readonly prefix = `log-${prefixes++}:`;
  readonly logged: LogEntry[] = [];
  readonly readers: EventLog[] = [];
  losses = 0;
  outdated = 0;

  private constructor(readonly redis: Redis) {}

  static async open(): Promise<LogHarness> {
    const harness = new LogHarness(await connectRedis({ url: server.address }));
    await harness.makeLeader("one");
    return harness;
  }

  /** @param redis as a test has it behave */
  sharedLog(redis: Redis = this.redis): RedisLog {
    return new RedisLog(redis, this.prefix);
  }

  /** Makes a node the leader, as if the previous leader had died. */
  async makeLeader(node: string): Promise<void> {
    const state = new RedisState({ redis: this.redis, prefix: this.prefix, leaseMs: 60_000 });
    await state.begin(node, "{}");
    await this.redis.command(["DEL", `${this.prefix}leader`]);
    assert.ok(await state.lead(node, 60_000));
  }

  read(node: string, options: Partial<EventLogOptions> = {}) {
    const taken: LoggedEvent[] = [];
    const reader = new EventLog({
      shared: this.sharedLog(),
      node: () => node,
      pollMs: 5,
      listeners: [(logged) => Promise.resolve(void taken.push(logged))],
      lost: () => this.losses++,
      outdated: () => this.outdated++,
      log: (entry) => this.logged.push(entry),
      ...options,
    });
    this.readers.push(reader);
    reader.start();
    return { reader, taken };
  }

  /** Logs that a channel became occupied. */
  async occupy(...channels: string[]): Promise<void> {
    for (const channel of channels) {
      const event = JSON.stringify({ name: "channel_occupied", app: "shop", channel });
      await this.add("v", "1", "e", event);
    }
  }

  add(...fields: string[]): Promise<RedisReply> {
    return this.redis.command(["XADD", logKey(this.prefix), "*", ...fields]);
  }

  /** Logs events of 1970. */
  async addOld(count: number): Promise<void> {
    const event = JSON.stringify({ name: "channel_occupied", app: "shop", channel: "old" });
    for (let number = 1; number <= count; number++) {
      const id = `1000-${number}`;
      await this.redis.command(["XADD", logKey(this.prefix), id, "v", "1", "e", event]);
    }
  }

  /** How many entries the log has. */
  async length(): Promise<number> {
    return Number(await this.redis.command(["XLEN", logKey(this.prefix)]));
  }

  /** How many entries were read and not acknowledged. */
  async pending(): Promise<number> {
    const reply = await this.redis.command(["XPENDING", logKey(this.prefix), "leader"]);
    return Number((reply as RedisReply[])[0]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const reader of this.readers) await reader.stop();
    await this.redis.close();
  }
}

const channelsOf = (taken: LoggedEvent[]) => taken.map(({ event }) => event.channel);

describe("the log of events", () => {
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  it("is handed out in its order, from its beginning on, and acknowledged", async () => {
    await using harness = await LogHarness.open();
    await harness.occupy("a", "b");
    const { reader, taken } = harness.read("one");
    await until(() => taken.length === 2);
    await harness.occupy("c");
    assert.equal(await reader.caughtUp(), true);
    assert.deepEqual(channelsOf(taken), ["a", "b", "c"]);
    assert.deepEqual(taken[0].appId, "shop");
    assert.ok(Math.abs(taken[0].at - Date.now()) < 60_000);
    await reader.stop();
    assert.deepEqual([await harness.pending(), reader.open, harness.logged], [0, 0, []]);
    assert.equal(await reader.caughtUp(), false);
  });

  it("keeps its entries while listeners have no room for more", async () => {
    await using harness = await LogHarness.open();
    let room = 2;
    const { reader, taken } = harness.read("one", { batchSize: 1, hasRoom: () => room-- > 0 });
    await harness.occupy("a", "b", "c");
    await until(() => taken.length > 0);
    assert.deepEqual(channelsOf(taken.slice(0, 1)), ["a"]);
    await until(() => room < -5);
    assert.ok(taken.length <= 2, channelsOf(taken).join());
    room = Infinity;
    assert.equal(await reader.caughtUp(), true);
    assert.deepEqual(channelsOf(taken), ["a", "b", "c"]);
  });

  it("is acknowledged when all listeners are done, so that the next leader begins there", async () => {
    await using harness = await LogHarness.open();
    await harness.occupy("a", "b", "c");
    const { reader } = harness.read("one", {
      listeners: [
        () => Promise.resolve(),
        ({ event }) => event.channel === "b" ? new Promise(() => {}) : Promise.resolve(),
      ],
    });
    await reader.caughtUp();
    await reader.stop();
    assert.equal(await harness.pending(), 1);
    await harness.occupy("d");
    await harness.makeLeader("two");
    const { reader: next, taken } = harness.read("two");
    await next.caughtUp();
    assert.deepEqual(channelsOf(taken), ["b", "d"]);
  });

  it("stays unacknowledged from an entry of a later release on, for a server that can read it", async () => {
    await using harness = await LogHarness.open();
    await harness.occupy("a");
    await harness.add("v", "3", "e", "{}");
    await harness.occupy("b");
    const { reader, taken } = harness.read("one");
    assert.equal(await reader.caughtUp(), false);
    await reader.stop();
    assert.deepEqual([channelsOf(taken), harness.outdated], [["a"], 1]);
    assert.deepEqual([await harness.pending(), harness.logged], [2, []]);
  });

  it("is read in steps, also what the leader before did not acknowledge", async () => {
    await using harness = await LogHarness.open();
    const channels = Array.from({ length: 25 }, (_, index) => `channel-${index}`);
    await harness.occupy(...channels);
    const never = () => new Promise<void>(() => {});
    const { reader } = harness.read("one", { listeners: [never], batchSize: 3 });
    await reader.caughtUp();
    await reader.stop();
    await harness.occupy("late");
    await harness.makeLeader("two");
    const { reader: next, taken } = harness.read("two", { batchSize: 3 });
    await next.caughtUp();
    assert.deepEqual(channelsOf(taken), [...channels, "late"]);
  });

  it("is not read by a node that is no longer the leader, so that its successor gets every entry", async () => {
    await using harness = await LogHarness.open();
    const { reader, taken } = harness.read("one");
    await reader.caughtUp();
    await harness.makeLeader("two");
    await harness.occupy("a");
    await until(() => harness.logged.length > 0);
    const next = harness.read("two");
    await next.reader.caughtUp();
    assert.deepEqual([channelsOf(taken), channelsOf(next.taken)], [[], ["a"]]);
    assert.deepEqual(harness.logged.map(({ message }) => message), [
      "The log of events could not be read",
    ]);
  });

  it("is left to the next leader from the moment on at which it is stopped", async () => {
    await using harness = await LogHarness.open();
    const [called, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const redis = partOf<Redis>({
      command: (words: readonly string[]) => harness.redis.command(words),
      async run(...call: Parameters<Redis["run"]>) {
        const answer = await harness.redis.run(...call);
        if (!JSON.stringify(answer).includes("channel_occupied")) return answer;
        called.resolve();
        await answered.promise;
        return answer;
      },
    });
    await harness.occupy("a");
    const { reader, taken } = harness.read("one", { shared: harness.sharedLog(redis) });
    await called.promise;
    const stopping = reader.stop();
    answered.resolve();
    await stopping;
    const next = harness.read("one");
    await next.reader.caughtUp();
    assert.deepEqual([channelsOf(taken), channelsOf(next.taken)], [[], ["a"]]);
  });

  it("loses no entry of which the answer was lost, and repeats none of those before", async () => {
    await using harness = await LogHarness.open();
    let answersLost = 0;
    const redis = partOf<Redis>({
      command: (words: readonly string[]) => harness.redis.command(words),
      async run(...call: Parameters<Redis["run"]>) {
        const answer = await harness.redis.run(...call);
        if (answersLost-- > 0) throw new Error("The answer is lost");
        return answer;
      },
    });
    const { reader, taken } = harness.read("one", {
      shared: harness.sharedLog(redis),
      batchSize: 2,
    });
    const channels: string[] = [];
    for (let round = 0; round < 5; round++) {
      const some = [1, 2, 3].map((number) => `channel-${round}-${number}`);
      channels.push(...some);
      answersLost = 2;
      await harness.occupy(...some);
      await until(() => answersLost <= 0);
      await reader.caughtUp();
    }
    assert.deepEqual(channelsOf(taken), channels);
    await reader.stop();
    assert.equal(await harness.pending(), 0);
  });

  it("skips and acknowledges what is malformed, and says so once", async () => {
    await using harness = await LogHarness.open();
    const { reader, taken } = harness.read("one");
    await harness.occupy("a");
    for (let times = 0; times < 2; times++) {
      await harness.add("v", "1", "e", "?");
    }
    await harness.occupy("b");
    await reader.caughtUp();
    assert.deepEqual(channelsOf(taken), ["a", "b"]);
    assert.deepEqual(harness.logged.map(({ cause }) => cause), ["malformed"]);
    await reader.stop();
    assert.equal(await harness.pending(), 0);
  });

  it("goes on after Redis lost its data, and reports that", async () => {
    await using harness = await LogHarness.open();
    const { reader, taken } = harness.read("one");
    await harness.occupy("a");
    await reader.caughtUp();
    harness.losses = 0;
    await server.flushAll();
    await harness.occupy("b");
    await harness.makeLeader("one");
    await until(() => taken.length === 2);
    assert.deepEqual(channelsOf(taken), ["a", "b"]);
    assert.equal(harness.losses, 1);
    await reader.stop();
    assert.equal(await harness.pending(), 0);
  });

  it("reports that Redis lost its data, though the first answer after that was lost", async () => {
    await using harness = await LogHarness.open();
    let answersLost = 0;
    const redis = partOf<Redis>({
      command: (words: readonly string[]) => harness.redis.command(words),
      async run(...call: Parameters<Redis["run"]>) {
        const answer = await harness.redis.run(...call);
        if (answer !== "not_leading" && answersLost-- > 0) throw new Error("The answer is lost");
        return answer;
      },
    });
    const { reader, taken } = harness.read("one", { shared: harness.sharedLog(redis) });
    await harness.occupy("a");
    await reader.caughtUp();
    harness.losses = 0;
    await server.flushAll();
    answersLost = 1;
    await harness.occupy("b");
    await harness.makeLeader("one");
    await until(() => taken.length === 2);
    assert.deepEqual(channelsOf(taken), ["a", "b"]);
    assert.equal(harness.losses, 1);
  });

  it("leaves an entry that a listener refuses to the next leader", async () => {
    await using harness = await LogHarness.open();
    const { reader } = harness.read("one", {
      listeners: [() => Promise.reject(new Error("full"))],
    });
    await harness.occupy("a");
    await until(() => harness.logged.length > 0);
    await reader.stop();
    const { reader: next, taken } = harness.read("one");
    await next.caughtUp();
    assert.deepEqual(channelsOf(taken), ["a"]);
  });

  it("is not read while listeners have too much to do", async () => {
    await using harness = await LogHarness.open();
    const done: (() => void)[] = [];
    const taken: string[] = [];
    const { reader } = harness.read("one", {
      batchSize: 2,
      maxOpen: 4,
      listeners: [({ event }) => {
        taken.push(event.channel);
        return new Promise((resolve) => done.push(resolve));
      }],
    });
    await harness.occupy("a", "b", "c", "d", "e", "f");
    await until(() => taken.length >= 4);
    const caughtUp = reader.caughtUp();
    assert.deepEqual(taken, ["a", "b", "c", "d"]);
    for (const resolve of done.splice(0)) resolve();
    await caughtUp;
    assert.equal(taken.length, 6);
    for (const resolve of done.splice(0)) resolve();
  });

  it("loses the entries with which all are done, after a while", async () => {
    await using harness = await LogHarness.open();
    await harness.addOld(300);
    await harness.occupy("new");
    const { reader } = harness.read("one");
    await reader.caughtUp();
    await until(async () => {
      await reader.caughtUp();
      return await harness.length() < 150;
    });
  });

  it("keeps an entry with which a listener is not done, however old it is", async () => {
    await using harness = await LogHarness.open();
    await harness.addOld(300);
    await harness.occupy("new");
    const waiting = Promise.withResolvers<void>();
    let taken = 0;
    const { reader } = harness.read("one", {
      listeners: [() => taken++ === 0 ? waiting.promise : Promise.resolve()],
    });
    await reader.caughtUp();
    await reader.caughtUp();
    assert.deepEqual([taken, await harness.length()], [301, 301]);
    waiting.resolve();
    await until(async () => {
      await reader.caughtUp();
      return await harness.length() < 150;
    });
  });
});

describe("the writer of the log", () => {
  const url = "https://example.org/hook";
  const credentials = { id: "shop", key: "k".repeat(8), secret: "s".repeat(16) };
  const miss = { name: "cache_miss", channel: "cache-a" } as const;
  const appended = async (webhooks: { url: string; events?: string[] }[], channel: string) => {
    const commands: (readonly string[])[] = [];
    const shared = new RedisLog(
      partOf({ command: (words) => Promise.resolve(commands.push(words)) }),
      "p:",
    );
    const writer = new LogWriter(shared, () => assert.fail("nothing fails"));
    const app = appSettings({
      ...credentials,
      webhooks: webhooks as never,
      reserved: { prefix: "private-own.", secret: "t".repeat(16) },
    });
    await writer.append({ ...miss, channel }, app);
    await writer.append({ name: "channel_occupied", channel }, app);
    return commands.map(([name, key]) => `${name} ${key}`);
  };

  it("writes what a webhook of the app receives, and what no script writes", async () => {
    assert.deepEqual(await appended([{ url }], "cache-a"), ["XADD p:log"]);
    assert.deepEqual(await appended([{ url, events: ["cache_miss"] }], "cache-a"), ["XADD p:log"]);
    assert.deepEqual(await appended([{ url, events: ["client_event"] }], "cache-a"), []);
    assert.deepEqual(await appended([], "cache-a"), []);
    assert.deepEqual(await appended([{ url }], "private-own.a"), []);
  });

  it("logs once that events are lost without the shared log, and never rejects", async () => {
    const logged: LogEntry[] = [];
    const writer = new LogWriter(
      partOf({ append: () => Promise.reject(new Error("not connected")) }),
      (entry) => logged.push(entry),
    );
    const app = appSettings({ ...credentials, webhooks: [{ url }] });
    for (let times = 0; times < 3; times++) await writer.append(miss, app);
    assert.equal(logged.length, 1);
  });
});
