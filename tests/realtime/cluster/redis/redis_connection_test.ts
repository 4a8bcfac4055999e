import assert from "node:assert/strict";
import { afterAll, afterEach, beforeAll, describe, it } from "@std/testing/bdd";
import { CallDeadlines } from "@/realtime/cluster/engine.ts";
import { connectRedis, type RedisOptions } from "@/realtime/cluster/redis/redis_connection.ts";
import type { Redis } from "@/realtime/cluster/redis/redis.ts";
import { redisWarnings, warnOfRedisSettings } from "@/realtime/cluster/redis/redis_settings.ts";
import { until } from "../../../fixtures/eventually.ts";
import { type RedisServer, type RedisServerOptions, startRedis } from "../../../fixtures/redis.ts";
import { reservePort } from "../../../fixtures/reserved_port.ts";

/** A call takes long on a busy machine. */
const quick = { timeoutMs: 5_000, pingMs: 50 };

describe("the connection to Redis", () => {
  let server: RedisServer;
  const opened: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    server = await startRedis();
  });

  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
  });

  afterAll(() => server.stop());

  async function connect(options: Partial<RedisOptions> = {}): Promise<Redis> {
    const redis = await connectRedis({ url: server.address, ...quick, ...options });
    opened.push(redis);
    return redis;
  }

  async function start(options: RedisServerOptions): Promise<RedisServer> {
    const other = await startRedis(options);
    opened.push({ close: other.stop });
    return other;
  }

  /** The changes of `isUp`, and the lines with problems. */
  function watched(redis: Redis): boolean[] {
    const changes: boolean[] = [];
    redis.onChange((isUp) => {
      assert.equal(redis.isUp, isUp);
      changes.push(isUp);
    });
    return changes;
  }

  it("answers commands as Redis does", async () => {
    const redis = await connect();
    assert.equal(await redis.command(["SET", "key", "a\r\nb ü"]), "OK");
    assert.equal(await redis.command(["GET", "key"]), "a\r\nb ü");
    assert.equal(await redis.command(["GET", "none"]), null);
    assert.equal(await redis.command(["DEL", "key"]), 1);
    assert.deepEqual(await redis.command(["HGETALL", "none"]), []);
    await assert.rejects(redis.command(["GET"]), /wrong number of arguments/);
    assert.equal(redis.isUp, true);
  });

  it("runs a script, also when the server has forgotten it", async () => {
    const redis = await connect();
    const script = { name: "join", text: "return { ARGV[1] .. ARGV[2], 7 }" };
    assert.deepEqual(await redis.run(script, ["a", "b"]), ["ab", 7]);
    await server.command("SCRIPT", "FLUSH");
    assert.deepEqual(await redis.run(script, ["c", "d"]), ["cd", 7]);
    const wrong = { name: "wrong", text: "return redis.error_reply('NO reason')" };
    await assert.rejects(redis.run(wrong, []), /^Error: NO reason/);
  });

  it("receives the messages of a topic in order, from the subscription to its end", async () => {
    const redis = await connect();
    const received: string[] = [];
    await redis.command(["PUBLISH", "topic", "before"]);
    await redis.subscribe("topic", (message) => received.push(message));
    for (const message of ["1", "2\n3", "ü"]) await redis.command(["PUBLISH", "topic", message]);
    await until(() => received.length === 3);
    assert.deepEqual(received, ["1", "2\n3", "ü"]);
    await redis.unsubscribe("topic");
    assert.equal(await redis.command(["PUBLISH", "topic", "after"]), 0);
  });

  it("has the last of changes of a topic that overlap", async () => {
    const redis = await connect();
    const received: string[] = [];
    const changes = [];
    for (let round = 0; round < 50; round++) {
      changes.push(redis.subscribe("topic", (message) => received.push(`${round} ${message}`)));
      if (round < 49) changes.push(redis.unsubscribe("topic"));
    }
    await Promise.all(changes);
    assert.equal(await redis.command(["PUBLISH", "topic", "now"]), 1);
    await until(() => received.length > 0);
    assert.deepEqual(received, ["49 now"]);
  });

  it("is mended after a crash of the server, with all its topics, and names the server's new life", async () => {
    const redis = await connect();
    const changes = watched(redis);
    const before = redis.serverId;
    const received = new Map<string, string>();
    const topics = Array.from({ length: 2_000 }, (_, index) => `topic ${index}`);
    await Promise.all(
      topics.map((topic) => redis.subscribe(topic, (message) => received.set(topic, message))),
    );
    await server.kill();
    await until(() => changes.length === 1, "the connection was down");
    await assert.rejects(redis.command(["PING"]), /no connection to Redis/);
    await assert.rejects(redis.subscribe("other", () => {}), /no connection to Redis/);
    await redis.unsubscribe("topic 0");
    let arrived: Promise<unknown> | undefined;
    // What is sent from the first moment on is received.
    redis.onChange((isUp) => {
      if (!isUp) return;
      arrived = Promise.all(topics.map((topic) => redis.command(["PUBLISH", topic, "again"])));
    });
    await server.restart();
    await until(() => changes.length === 2, "the connection was up");
    assert.deepEqual(changes, [false, true]);
    assert.deepEqual(await arrived, [0, ...topics.slice(1).map(() => 1)]);
    await until(() => received.size === 1_999);
    assert.notEqual(redis.serverId, before);
    assert.match(redis.serverId, /^\w{40}-\w{40}$/);
  });

  it("is given up when the server is frozen, also while calls go on, and mended when it thaws", async () => {
    const problems: string[] = [];
    const onProblem = (line: string) => problems.push(line);
    const redis = await connect({ timeoutMs: 1_000, onProblem });
    const changes = watched(redis);
    server.freeze();
    try {
      const calls = Promise.allSettled(
        Array.from({ length: 20 }, () => redis.command(["GET", "key"])),
      );
      await until(() => !redis.isUp);
      for (const { status } of await calls) assert.equal(status, "rejected");
    } finally {
      server.thaw();
    }
    await until(() => redis.isUp);
    assert.deepEqual(changes, [false, true]);
    assert.match(problems[0], /^no answer within 1 s$/);
  });

  it("is down whole when only one of its two connections ends", async () => {
    const redis = await connect();
    for (const type of ["pubsub", "normal"]) {
      await redis.subscribe("topic", () => {});
      const changes = watched(redis);
      await server.command("CLIENT", "KILL", "TYPE", type);
      await until(() => changes.length === 2, "both were replaced");
      assert.deepEqual(changes, [false, true]);
      assert.equal(await redis.command(["PUBLISH", "topic", "message"]), 1);
    }
  });

  it("rejects a call that misses its deadline, and answers the next ones rightly", async () => {
    const redis = await connect({ timeoutMs: 500, pingMs: 60_000 });
    const slow = redis.command(["BLPOP", "none", "1"]);
    await assert.rejects(slow, /^Error: no answer within 0.5 s$/);
    await until(async () => await redis.command(["ECHO", "a"]).catch(() => "") === "a");
    assert.equal(await redis.command(["ECHO", "b"]), "b");
  });

  it("does not count the time for which this process was busy against an answer", async () => {
    const deadlines = new CallDeadlines(100);
    // The timer stands for an answer that came late, but before this process looked for it.
    const { promise, resolve } = Promise.withResolvers<string>();
    setTimeout(() => resolve("a"), 110);
    const answer = deadlines.within(promise);
    const end = performance.now() + 300;
    while (performance.now() < end);
    assert.equal(await answer, "a");
    deadlines.stop();
  });

  it("ends while it tries to connect", async () => {
    const redis = await connect();
    await server.kill();
    await until(() => !redis.isUp);
    await redis.close();
    await server.restart();
    assert.equal(redis.isUp, false);
    assert.doesNotMatch(await server.command("CLIENT", "LIST", "TYPE", "pubsub"), /./);
  });

  it("is mended when its server becomes a replica, once that is a master again", async () => {
    const problems: string[] = [];
    const redis = await connect({ onProblem: (line) => problems.push(line) });
    const before = redis.serverId;
    await server.command("REPLICAOF", "127.0.0.1", String(await reservePort()));
    await assert.rejects(redis.command(["SET", "key", "value"]), /^Error: READONLY /);
    assert.equal(redis.isUp, false);
    await until(() => problems.length === 2);
    assert.match(problems[1], /^Redis at 127.0.0.1:\d+ is a replica; expected the master$/);
    await server.command("REPLICAOF", "NO", "ONE");
    await until(() => redis.isUp);
    assert.notEqual(redis.serverId, before);
  });

  it("names the same life of the server when a first replica has come", async () => {
    const master = await start({});
    const { serverId } = await connect({ url: master.address });
    const replica = await start({ replicaOf: master.port });
    const isUp = async () =>
      (await replica.command("INFO", "replication")).includes("master_link_status:up");
    await until(isUp, "the replica followed");
    assert.equal((await connect({ url: master.address })).serverId, serverId);
  });

  it("uses the user, the password and the database of its address", async () => {
    await server.command("ACL", "SETUSER", "app", "on", ">p@ss", "~*", "&*", "+@all");
    const url = server.address.replace("//", "//app:p%40ss@") + "/3";
    const redis = await connect({ url });
    assert.equal(await redis.command(["ACL", "WHOAMI"]), "app");
    await redis.command(["SET", "three", "1"]);
    assert.equal(await server.command("-n", "3", "DEL", "three"), "1");
  });

  it("works for a user who may not ask about the server", async () => {
    await server.command(
      ...["ACL", "SETUSER", "few", "on", ">few", "~*", "&*", "+@all", "-info"],
    );
    const redis = await connect({ url: server.address.replace("//", "//few:few@") });
    assert.equal(redis.serverId, "");
  });

  async function refusal(url: string): Promise<string> {
    const error = await connectRedis({ url, timeoutMs: 1_000 }).then(
      (redis) => redis.close().then(() => assert.fail("it connected")),
      (error: Error) => error,
    );
    assert.doesNotMatch(error.message, /secret|\n/);
    return error.message.replaceAll(/\d{4,}/g, "PORT");
  }

  it("is refused at its start in one line where nothing listens", async () => {
    const url = `redis://:secret@127.0.0.1:${await reservePort()}`;
    assert.equal(
      await refusal(url),
      "Redis at 127.0.0.1:PORT: connect ECONNREFUSED 127.0.0.1:PORT",
    );
    assert.match(
      await refusal(url.replace("127.0.0.1", "localhost")),
      /^Redis at localhost:PORT: .*ECONNREFUSED/,
    );
  });

  it("is refused at its start in one line with a wrong password, or without one", async () => {
    const other = await start({ settings: { requirepass: "pass" }, credentials: "default:pass@" });
    const right = await connect({ url: other.address.replace("default", "") });
    assert.equal(await right.command(["ACL", "WHOAMI"]), "default");
    const wrong = other.address.replace("pass", "secret");
    assert.match(await refusal(wrong), /^Redis at 127.0.0.1:PORT: WRONGPASS /);
    const none = other.address.replace("default:pass@", "");
    assert.match(await refusal(none), /^Redis at 127.0.0.1:PORT: NOAUTH /);
  });

  it("is refused at its start in one line by a server in cluster mode", async () => {
    const other = await start({ settings: { "cluster-enabled": "yes" } });
    assert.equal(
      await refusal(other.address),
      "Redis at 127.0.0.1:PORT runs in cluster mode; expected one server, or Sentinel",
    );
  });

  it("is refused at its start in one line by a replica", async () => {
    const other = await start({ replicaOf: server.port });
    assert.equal(
      await refusal(other.address),
      "Redis at 127.0.0.1:PORT is a replica; expected the master",
    );
  });

  it("is refused at its start in one line by a server that does not answer", async () => {
    server.freeze();
    try {
      assert.match(await refusal(server.address), /^Redis at 127.0.0.1:PORT: no answer within /);
    } finally {
      server.thaw();
    }
  });

  it("is refused at its start in one line by a server that speaks no TLS", async () => {
    assert.match(
      await refusal(server.address.replace("redis:", "rediss:")),
      /^Redis at 127.0.0.1:PORT: /,
    );
  });
});

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
