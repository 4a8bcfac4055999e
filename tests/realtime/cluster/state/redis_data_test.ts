import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { connectRedis } from "@/realtime/cluster/redis/redis_connection.ts";
import type { Redis, RedisReply } from "@/realtime/cluster/redis/redis.ts";
import { type ClaimedUser, logKey, topicOf } from "@/realtime/cluster/state/shared_state.ts";
import { RedisState } from "@/realtime/cluster/state/redis_state.ts";
import { until } from "../../../fixtures/eventually.ts";
import { type RedisServer, startRedis } from "../../../fixtures/redis.ts";
import { type Message, messageOf } from "./witness.ts";

const room = "app:presence-room";
const [node, other] = ["1.1", "2.1"];

describe("the data in Redis", () => {
  let server: RedisServer;
  let redis: Redis;
  let prefix: string;

  beforeAll(async () => {
    server = await startRedis({ appendOnly: true });
    redis = await connectRedis({ url: server.address, timeoutMs: 30_000, pingMs: 50 });
  });

  afterAll(async () => {
    await redis.close();
    await server.stop();
  });

  /** A state under a prefix of its own, with the real clock. */
  function stateWith(leaseMs: number): RedisState {
    prefix = `${crypto.randomUUID()}:`;
    return new RedisState({ redis, prefix, leaseMs });
  }

  async function followed(name = room): Promise<Message[]> {
    const messages: Message[] = [];
    await redis.subscribe(topicOf(prefix, name), (text) => messages.push(messageOf(name, text)));
    return messages;
  }

  function user(userId: string, options: Partial<ClaimedUser> = {}): ClaimedUser {
    const rest = { isGuest: false, max: 0, app: "app", isRepeated: false };
    return { room, userId, member: JSON.stringify({ user_id: userId }), ...rest, ...options };
  }

  it("ends a lease that is not renewed, by Redis' clock", async () => {
    const state = stateWith(1_000);
    const messages = await followed();
    await state.begin(node, "{}");
    await state.claim(node, user("u"));
    const lasting = new RedisState({ redis, prefix, leaseMs: 60_000 });
    const { now, nodes } = await lasting.begin(other, "{}");
    assert.ok(Math.abs(now - Date.now()) < 60_000);
    assert.deepEqual(nodes, [node, other]);
    await until(async () => {
      const heartbeat = await lasting.heartbeat(other, "{}");
      return heartbeat !== "lost" && heartbeat.expired.includes(node);
    });
    assert.equal(await lasting.heartbeat(node, "{}"), "lost");
    assert.equal(await lasting.claim(node, user("v")), "lost");
    assert.equal(await lasting.drop(node), false);
    await until(() => messages.length === 2);
    assert.deepEqual(messages.map(({ t, r }) => [t, r]), [["added", undefined], [
      "removed",
      "server_lost",
    ]]);
    assert.equal((await state.read(room)).members.size, 0);
  });

  it("drops 100 holds and 100 rooms with subscribers in one step", async () => {
    const state = stateWith(60_000);
    await state.begin(node, "{}");
    const users = Array.from({ length: 250 }, (_, index) => `u${index}`);
    await Promise.all(users.map((userId) => state.claim(node, user(userId))));
    await Promise.all(users.map((name) => state.subscribers(node, `app:${name}`, 1, "app")));
    assert.equal((await state.occupied("app")).length, 251);
    await state.exit(node, 0);
    const left: number[] = [];
    const sizeOfAll = async () => (await state.occupied("app")).length;
    for (const expected of [true, true, true, true, false]) {
      assert.equal(await state.drop(node), expected);
      left.push((await state.sizes([room]))[0].members, await sizeOfAll());
    }
    assert.deepEqual(left, [150, 251, 50, 251, 0, 150, 0, 50, 0, 0]);
    assert.deepEqual(await redis.command(["KEYS", `${prefix}leases`]), []);
    const length = await redis.command(["XLEN", logKey(prefix)]);
    assert.equal(length, 2 * (1 + 250) + 2 * 250);
  });

  it("has one message and one entry for a user whom two nodes hold and release at the same time", async () => {
    const state = stateWith(60_000);
    const second = await connectRedis({ url: server.address, timeoutMs: 30_000 });
    try {
      const ofOther = new RedisState({ redis: second, prefix, leaseMs: 60_000 });
      const messages = await followed();
      await Promise.all([state.begin(node, "{}"), ofOther.begin(other, "{}")]);
      const release = {
        room,
        userId: "u",
        app: "app",
        reason: "left",
        deadline: Date.now() + 60_000,
      };
      for (let round = 1; round <= 20; round++) {
        await Promise.all([state.claim(node, user("u")), ofOther.claim(other, user("u"))]);
        await Promise.all([state.release(node, release), ofOther.release(other, release)]);
        await until(() => messages.length === 2 * round);
      }
      for (const [index, { t, p }] of messages.entries()) {
        assert.equal(t, index % 2 === 0 ? "added" : "removed");
        if (index > 0) assert.equal(p, messages[index - 1].n);
      }
      assert.equal(await redis.command(["XLEN", logKey(prefix)]), 4 * 20);
    } finally {
      await second.close();
    }
  });

  it("keeps the version of a room while it has members or subscribers, and a minute longer", async () => {
    const state = stateWith(60_000);
    const ttlMs = async () => Number(await redis.command(["PTTL", `${prefix}about:${room}`]));
    const isMinute = (ms: number) => ms > 50_000 && ms <= 60_000;
    await state.begin(node, "{}");
    const { version } = await state.read(room);
    assert.ok(isMinute(await ttlMs()));
    await state.claim(node, user("u"));
    assert.equal(await ttlMs(), -1);
    await state.subscribers(node, room, 1);
    const release = { room, userId: "u", reason: "left", deadline: Date.now() + 60_000 };
    await state.release(node, release);
    assert.equal(await ttlMs(), -1);
    assert.equal(await redis.command(["EXISTS", `${prefix}rooms:${node}`]), 1);
    await state.subscribers(node, room, 0);
    assert.equal(await redis.command(["EXISTS", `${prefix}rooms:${node}`]), 0);
    assert.ok(isMinute(await ttlMs()));
    assert.ok((await state.read(room)).version > version);
    assert.ok(isMinute(await ttlMs()));
  });

  it("counts what a process has registered under its last lease, and not under former ones", async () => {
    const state = stateWith(60_000);
    for (const lease of ["7.1", "7.2", "7.10", "77.1"]) await state.begin(lease, "{}");
    assert.equal(await state.subscribers("77.1", room, 100), 100);
    assert.equal(await state.subscribers("7.1", room, 1), 101);
    assert.equal(await state.subscribers("7.2", room, 2), 102);
    assert.equal(await state.subscribers("7.10", room, 4), 104);
    assert.equal(await state.subscribers("7.2", room, 2), 106, "a late call under a former lease");
    assert.equal(await state.subscribers("7.10", room, 3), 103);
    const rooms = ["7.1", "7.2", "7.10", "77.1"].map((lease) =>
      redis.command(["EXISTS", `${prefix}rooms:${lease}`])
    );
    assert.deepEqual(await Promise.all(rooms), [0, 0, 1, 1]);
  });

  it("keeps the event of a room for its time, and sends it to the room", async () => {
    const state = stateWith(60_000);
    const messages = await followed();
    await state.publish(room, '{"v":1,"t":"frame","k":1}\ntext', {
      text: "kept \n ü",
      ttlMs: 200,
      maxBytes: 1_000,
    });
    const { cached } = await state.read(room);
    assert.equal(cached?.text, "kept \n ü");
    assert.ok(cached.ttlMs > 0 && cached.ttlMs <= 200);
    await until(() => messages.length === 1);
    assert.equal(messages[0].body, "text");
    await until(async () => await redis.command(["EXISTS", `${prefix}cached:${room}`]) === 0);
    assert.equal((await state.read(room)).cached, undefined);
  });

  it("keeps events of an app up to a number of bytes, and drops the ones that were kept first", async () => {
    const state = stateWith(60_000);
    const keep = (name: string, text: string, maxBytes = 10) =>
      state.publish(name, '{"v":1,"t":"frame","k":1}\ntext', { text, ttlMs: 60_000, maxBytes });
    const kept = async (...names: string[]) => {
      const texts = await Promise.all(names.map((name) => state.read(name)));
      return texts.map(({ cached }) => cached?.text);
    };
    for (const name of ["app:cache-c", "app:cache-b", "app:cache-a"]) await keep(name, "xüx");
    await keep("other:cache-c", "0123456789");
    const all = ["app:cache-a", "app:cache-b", "app:cache-c", "other:cache-c"];
    assert.deepEqual(await kept(...all), ["xüx", "xüx", undefined, "0123456789"]);
    await keep("app:cache-b", "12");
    await keep("app:cache-d", "1234");
    assert.deepEqual(await kept(...all.slice(0, 2), "app:cache-d"), ["xüx", "12", "1234"]);
    await keep("app:cache-e", "1");
    assert.deepEqual(await kept(...all.slice(0, 2), "app:cache-e"), [undefined, "12", "1"]);
    await keep("app:cache-f", "x".repeat(11));
    assert.deepEqual(await kept("app:cache-b", "app:cache-f"), [undefined, undefined]);
    assert.deepEqual(await redis.command(["HGETALL", `${prefix}cacheBytes:app`]), ["all", "0"]);
    assert.deepEqual(await redis.command(["KEYS", `${prefix}cached:app:*`]), []);
  });

  it("counts only events that have not ended, also when Redis has evicted what it knew of them", async () => {
    const state = stateWith(60_000);
    const keep = (name: string, ttlMs: number) =>
      state.publish(name, '{"v":1,"t":"frame","k":1}\ntext', { text: "1234", ttlMs, maxBytes: 4 });
    const isKept = async (name: string) => (await state.read(name)).cached !== undefined;
    await keep("app:cache-a", 60_000);
    await redis.command(["DEL", `${prefix}cacheEnds:app`]);
    await keep("app:cache-b", 60_000);
    assert.ok(await isKept("app:cache-b"));
    await keep("app:cache-c", 60_000);
    assert.deepEqual([await isKept("app:cache-b"), await isKept("app:cache-c")], [false, true]);
    await redis.command(["DEL", `${prefix}cacheBytes:app`]);
    await keep("app:cache-d", 50);
    await until(async () => !await isKept("app:cache-d"));
    await keep("app:cache-e", 60_000);
    assert.equal(await redis.command(["HGET", `${prefix}cacheBytes:app`, "all"]), "4");
    const ttlMs = Number(await redis.command(["PTTL", `${prefix}cacheBytes:app`]));
    assert.ok(ttlMs > 0 && ttlMs <= 60_000);
  });

  it("counts the members of 1,002 rooms, one with 3,000", async () => {
    const state = stateWith(60_000);
    await state.begin(node, "{}");
    const users = Array.from({ length: 3_000 }, (_, index) => `u${index}`);
    for (let start = 0; start < users.length; start += 1_000) {
      const some = users.slice(start, start + 1_000);
      await Promise.all(some.map((userId) => state.claim(node, user(userId))));
    }
    const sizes = await state.sizes([room, ...Array<string>(1_000).fill("app:none"), room]);
    assert.equal(sizes.length, 1_002);
    assert.deepEqual(sizes[0], { members: 3_000, subscribers: 0 });
    assert.deepEqual(sizes[1_001], sizes[0]);
  });

  it("takes any text as a user's id and an app's id", async () => {
    const state = stateWith(60_000);
    const name = 'a%22"%3A:presence-ü';
    const messages = await followed(name);
    await state.begin(node, "{}");
    const userIds = ['"', "\\", "a\nb", "a\0b", "{}", "ü😀", " ", "constructor", "9".repeat(300)];
    for (const userId of userIds) {
      assert.equal(await state.claim(node, user(userId, { room: name, app: 'a":' })), "held");
    }
    assert.deepEqual([...(await state.read(name)).members.keys()].sort(), [...userIds].sort());
    await state.exit(node, 0);
    assert.equal(await state.drop(node), false);
    await until(() => messages.length === 2 * userIds.length);
    assert.deepEqual(messages.slice(0, userIds.length).map(({ u }) => u), userIds);
    assert.deepEqual(
      messages.slice(userIds.length).map(({ u }) => u).sort(),
      [...userIds].sort(),
    );
    assert.deepEqual(await state.occupied('a":'), []);
  });

  it("begins with each life of the server, from when on repeated holds are no joins for a lease", async () => {
    const state = stateWith(60_000);
    const { beganAt } = await state.begin(node, "{}");
    await state.claim(node, user("u"));
    const { version, isSettled } = await state.read(room);
    assert.equal(isSettled, false);
    await server.restart();
    await until(() => redis.isUp);
    const heartbeat = await state.heartbeat(node, "{}");
    assert.ok(heartbeat !== "lost" && heartbeat.beganAt > beganAt);
    const again = await state.read(room);
    assert.equal(again.members.size, 1, "the server had kept its data");
    assert.ok(again.version > version, "a list with changes that the server did not keep is older");
    const logged = await redis.command(["XLEN", logKey(prefix)]);
    const messages = await followed();
    assert.equal(await state.claim(node, user("v", { isRepeated: true, max: 1 })), "held");
    await until(() => messages.length === 1);
    assert.equal(messages[0].p, again.version);
    assert.equal(await redis.command(["XLEN", logKey(prefix)]), logged);
  });

  it("does not begin again with a life of a server that it has seen", async () => {
    stateWith(60_000);
    const [first, second] = ["one", "two"].map((serverId) =>
      new RedisState({ redis: seenAs(redis, serverId), prefix, leaseMs: 60_000 })
    );
    const { beganAt } = await first.begin(node, "{}");
    await until(async () => (await first.begin(node, "{}")).now > beganAt);
    const last = await second.begin(other, "{}");
    assert.ok(last.beganAt > beganAt);
    for (const state of [first, second, first]) {
      assert.equal((await state.begin(node, "{}")).beganAt, last.beganAt);
    }
    for (let life = 0; life < 300; life++) {
      const state = new RedisState({
        redis: seenAs(redis, `life ${life}`),
        prefix,
        leaseMs: 60_000,
      });
      await state.totals();
    }
    assert.ok(Number(await redis.command(["HLEN", `${prefix}data`])) <= 102);
  });

  it("lets no one leave for a lease after data were lost: another node may state the user again", async () => {
    const state = stateWith(400);
    const release = { room, userId: "u", reason: "closed", deadline: Number.MAX_SAFE_INTEGER };
    await state.begin(node, "{}");
    await state.claim(node, user("u"));
    assert.equal(
      await state.release(node, release),
      "released",
      "nothing is lost at the first start",
    );
    await server.flushAll();
    await state.begin("1.2", "{}");
    await state.claim("1.2", user("u", { isRepeated: true }));
    assert.equal(await state.release("1.2", release), "late");
    assert.equal((await state.read(room)).members.size, 1);
    await until(async () => {
      await state.heartbeat("1.2", "{}");
      return await state.release("1.2", release) === "released";
    });
    assert.equal((await state.read(room)).isSettled, true);
  });

  it("drops nothing for a lease after another life of the server began", async () => {
    const state = stateWith(400);
    await state.begin(node, "{}");
    await state.claim(node, user("u"));
    await server.restart();
    await until(() => redis.isUp);
    await state.begin("1.2", "{}");
    await state.exit(node, 0);
    await until(async () => {
      await state.heartbeat("1.2", "{}");
      assert.equal(await state.drop(node), false);
      const { isSettled, members } = await state.read(room);
      assert.ok(isSettled || members.size === 1);
      return members.size === 0;
    });
  });

  it("has higher versions after all is lost", async () => {
    const state = stateWith(60_000);
    const messages = await followed();
    await state.begin(node, "{}");
    await state.claim(node, user("u"));
    const { version } = await state.read(room);
    await server.flushAll();
    assert.equal(await state.heartbeat(node, "{}"), "lost");
    await state.begin("1.2", "{}");
    assert.equal(await state.claim("1.2", user("u", { isRepeated: true })), "held");
    await until(() => messages.length === 2);
    assert.notEqual(messages[1].p, version);
    assert.ok(messages[1].n! > version);
    assert.equal(await redis.command(["EXISTS", logKey(prefix)]), 0);
  });

  it("is not believed blindly", async () => {
    const replies: [RedisReply, (state: RedisState) => Promise<unknown>][] = [
      ["yes", (state) => state.claim(node, user("u"))],
      [7, (state) => state.release(node, { room, userId: "u", reason: "left", deadline: 0 })],
      [["1"], (state) => state.heartbeat(node, "{}")],
      [[1, 1, [], [7]], (state) => state.begin(node, "{}")],
      [["1e16", 1, 0, "", 0, []], (state) => state.read(room)],
      [["1", 1, 0, "", 0, ["odd"]], (state) => state.read(room)],
      [[1], (state) => state.sizes([room])],
      [2, (state) => state.drop(node)],
      ["held", (state) => state.subscribers(node, room, 1)],
      [null, (state) => state.occupied("app")],
      [["odd"], (state) => state.totals()],
      ["1", (state) => state.lead(node, 1)],
    ];
    for (const [reply, ask] of replies) {
      const strange: Redis = {
        isUp: true,
        serverId: "",
        onChange: () => () => {},
        publish: () => Promise.resolve(0),
        command: () => Promise.resolve(reply),
        run: () => Promise.resolve(reply),
        subscribe: () => Promise.resolve(),
        unsubscribe: () => Promise.resolve(),
        close: () => Promise.resolve(),
      };
      const state = new RedisState({ redis: strange, prefix: "p:", leaseMs: 1 });
      await assert.rejects(ask(state), /^Error: Redis' reply to \w+ is not as expected: /);
    }
  });
});

/** A connection that goes to a server of another name. */
function seenAs(redis: Redis, serverId: string): Redis {
  return {
    ...redis,
    serverId,
    command: (words) => redis.command(words),
    run: (script, args) => redis.run(script, args),
  };
}
