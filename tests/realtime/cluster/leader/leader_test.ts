import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { Leader } from "@/realtime/cluster/leader/leader.ts";
import type { LogEntry } from "@/realtime/options.ts";
import { LogWriter } from "@/realtime/cluster/leader/log_entry.ts";
import type { LogLine } from "@/realtime/cluster/engine.ts";
import { WebhookOutbox } from "@/server/database/webhook_outbox.ts";
import { ActivityLog } from "@/server/activity/activity_log.ts";
import { appSettings } from "@/realtime/app_config.ts";
import { describeOnEachDatabase, type TestDatabase } from "../../../fixtures/databases.ts";
import { eventually, until } from "../../../fixtures/eventually.ts";
import { redisOf, type RedisServer, startRedis } from "../../../fixtures/redis.ts";
import { ManualClock } from "../../manual_clock.ts";
import { app } from "../../harness.ts";
import { Receiver } from "../../webhooks/harness.ts";
import { LeadingServer, type Place, Users } from "./installation.ts";
import { partOf } from "../../../fixtures/doubles.ts";

let redis: RedisServer;
let prefixes = 0;

/** Several servers, their users, and who receives their webhooks. */
class LeaderHarness implements AsyncDisposable {
  readonly writer: LogWriter;
  readonly activity: ActivityLog;
  events = 0;

  private constructor(
    readonly place: Place,
    readonly servers: LeadingServer[],
    readonly users: Users,
    readonly receiver: Receiver,
  ) {
    const log = ({ message }: LogEntry) => assert.fail(message);
    this.activity = new ActivityLog(place.database);
    this.writer = new LogWriter(users.cluster.engine.log, log);
  }

  static async open(store: TestDatabase, servers = 3): Promise<LeaderHarness> {
    const receiver = new Receiver();
    const database = await store.open();
    const webhook = receiver.url;
    const place = { address: redis.address, prefix: `leader-${prefixes++}:`, database, webhook };
    const users = await Users.open(place);
    const started: LeadingServer[] = [];
    for (let index = 0; index < servers; index++) started.push(await LeadingServer.start(place));
    return new LeaderHarness(place, started, users, receiver);
  }

  /** The leader, as soon as there is one. */
  leading(): Promise<LeadingServer> {
    return eventually(() => this.servers.find(({ leader }) => leader.isLeader), "a server led");
  }

  /** Logs an event with the next number, which the webhook receives. */
  async emit(): Promise<void> {
    const event = {
      ...{ name: "client_event", channel: "private-a", event: "client-number" } as const,
      data: `${this.events++}`,
      socketId: "1.1",
      userId: undefined,
    };
    await this.writer.append(
      event,
      appSettings({ ...app, id: "own", webhooks: [{ url: this.place.webhook }] }),
    );
  }

  /** The numbers of the events that the webhook received, each when it came first. */
  received(): number[] {
    const numbers = this.receiver.events()
      .filter(({ name }) => name === "client_event").map(({ data }) => Number(data));
    return [...new Set(numbers)];
  }

  /** The joins and leaves of the activity log, oldest first. */
  async attended(): Promise<string[]> {
    const entries = (await Array.fromAsync(this.activity.each())).flat().toReversed();
    return entries.map((entry) =>
      `${entry.userId} ${entry.change === "left" ? entry.reason : entry.change}`
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.servers) await server.stop();
    await this.users.cluster.close();
    await this.receiver[Symbol.asyncDispose]();
  }
}

describeOnEachDatabase("what an installation does once", (store) => {
  beforeAll(async () => void (redis = await startRedis()));
  afterAll(() => redis.stop());

  it("is done by one of its servers, and by the next one as soon as that stops", async () => {
    await using harness = await LeaderHarness.open(store);
    await harness.leading();
    // One that stops before its term to record begins leaves all joins to the next one.
    const term = `select 1 from setting where name = 'lead_turn'`;
    await until(async () => (await store.query(term)).length === 1);
    await harness.users.join("ada");
    for (let times = 0; times < 20; times++) await harness.emit();
    // The channel is occupied, and the user has joined.
    const first = await eventually(() =>
      harness.servers.find(({ leader, webhooks }) => {
        const { delivered, queuedEvents } = webhooks.stats();
        return leader.isLeader && delivered + queuedEvents >= 22;
      }), "a leader had all events");
    await first.stop();
    assert.equal((await harness.users.log()).pending, 0);
    harness.servers.splice(harness.servers.indexOf(first), 1);
    await harness.users.leave("ada");
    await harness.emit();
    const next = await harness.leading();
    assert.notEqual(next, first);
    await until(async () => await harness.users.unfinished() === 0);
    assert.deepEqual(await harness.attended(), ["ada joined", "ada closed"]);
    await until(() => harness.received().length === 21);
    assert.deepEqual(harness.received(), Array.from({ length: 21 }, (_, number) => number));
    const [left, joined] = (await Array.fromAsync(harness.activity.each())).flat();
    const { receiver } = harness;
    for (const [name, { at }] of [["member_added", joined], ["member_removed", left]] as const) {
      await until(() => receiver.events().some((event) => event.name === name), `${name} came`);
      const index = receiver.events().findIndex((event) => event.name === name);
      assert.equal(receiver.times[index], at, `${name} and the activity have one time`);
    }
    const removed = receiver.events().find(({ name }) => name === "member_removed");
    const { joined_at, reason, rollcall, seconds, user_info } = removed ?? {};
    assert.deepEqual({ reason, rollcall, user_info }, {
      reason: "closed",
      rollcall: { name: "Name of ada" },
      user_info: { a: 1 },
    });
    assert.equal(seconds, Math.max(0, Math.round((left.at - Number(joined_at)) / 1_000)));
  });

  it("loses and doubles nothing, whatever happens to the leader", async () => {
    const step = fc.constantFrom("stop", "cut", "refuse", "disconnect", "nothing");
    const steps = fc.array(step, { minLength: 6, maxLength: 6 });
    const random = fc.sample(fc.tuple(steps, fc.array(fc.nat(4), { minLength: 90 })), 1)[0];
    await using harness = await LeaderHarness.open(store);
    const present = new Set<string>();
    const expected: string[] = [];
    const [kinds, choices] = random;
    const next = choices.values();
    for (const kind of kinds) {
      const leading = await harness.leading();
      for (let change = 0; change < 15; change++) {
        const user = `user-${next.next().value}`;
        if (present.delete(user)) {
          await harness.users.leave(user);
          expected.push(`${user} closed`);
        } else {
          present.add(user);
          await harness.users.join(user);
          expected.push(`${user} joined`);
        }
        await harness.emit();
        if (change !== 7) continue;
        if (kind === "stop") {
          await leading.stop();
          harness.servers.splice(
            harness.servers.indexOf(leading),
            1,
            await LeadingServer.start(harness.place),
          );
        }
        if (kind === "cut") leading.isCut = true;
        if (kind === "refuse") harness.receiver.answer = () => new Response(null, { status: 503 });
        if (kind === "disconnect") {
          await until(() => leading.cluster.link.isUp);
          const id = await redisOf(leading.cluster).command(["CLIENT", "ID"]);
          await redis.command("CLIENT", "KILL", "ID", String(id));
        }
      }
      if (kind === "cut") await until(() => !leading.leader.isLeader);
      leading.isCut = false;
      harness.receiver.answer = () => new Response("ok");
    }
    await until(async () => await harness.users.unfinished() === 0, "all was acknowledged");
    const shown = `steps: ${kinds}`;
    assert.deepEqual(await harness.attended(), expected, shown);
    await until(() => harness.received().length === harness.events);
    assert.deepEqual(
      harness.received(),
      Array.from({ length: harness.events }, (_, n) => n),
      shown,
    );
  });

  it("stores nothing of a server that was paused while Redis lost its data and another one led", async () => {
    await using harness = await LeaderHarness.open(store, 2);
    const { activity, users } = harness;
    const paused = await harness.leading();
    for (const user of ["ada", "ben"]) await users.join(user);
    await until(async () => (await harness.attended()).length === 2);
    const { promise, resolve: goOn } = Promise.withResolvers<void>();
    paused.paused = promise;
    await users.leave("ada");
    await users.join("eve");
    await users.leave("ben");
    // The server has read all of that, and is about to store it.
    await until(async () => {
      const { pending, lag } = await users.log();
      return lag === 0 && pending === 3;
    });
    const { node } = users.cluster;
    const before = node.name;
    paused.isCut = true;
    await redis.flushAll();
    await until(() => node.isUp && node.name !== before);
    await users.join("ben");
    // Only the comparison finds her: she was registered again.
    await users.join("dan", true);
    const open = async () => (await activity.open("presence-chart")).map(({ userId }) => userId);
    await until(async () => (await open()).includes("dan"));
    goOn();
    await paused.stop();
    harness.servers.splice(harness.servers.indexOf(paused), 1);
    assert.deepEqual((await open()).toSorted(), ["ben", "dan"]);
    assert.deepEqual((await harness.attended()).toSorted(), [
      "ada joined",
      "ada server_lost",
      "ben joined",
      "dan joined",
    ]);
  });

  it("stores no events for webhooks of a server that was paused while another one led", async () => {
    await using harness = await LeaderHarness.open(store, 2);
    const paused = await harness.leading();
    harness.receiver.answer = () => new Response(null, { status: 503 });
    const { promise, resolve: goOn } = Promise.withResolvers<void>();
    paused.paused = promise;
    for (let times = 0; times < 3; times++) await harness.emit();
    await until(() => paused.webhooks.stats().queuedEvents === 3);
    paused.isCut = true;
    await until(() =>
      harness.servers.some(({ leader }) => leader !== paused.leader && leader.isLeader)
    );
    harness.receiver.answer = () => new Response("ok");
    await until(async () => await harness.users.unfinished() === 0, "all was acknowledged");
    goOn();
    await paused.stop();
    harness.servers.splice(harness.servers.indexOf(paused), 1);
    assert.deepEqual(harness.received(), [0, 1, 2]);
    // The next leader would send them again, after what has happened since.
    const outbox = new WebhookOutbox(harness.place.database);
    await until(async () => (await outbox.list()).length === 0);
    assert.deepEqual(paused.logged.filter(({ message }) => /webhook.*saved/i.test(message)), []);
  });

  it("loses no event while a receiver is down and more wait for it than memory has room for", async () => {
    await using harness = await LeaderHarness.open(store, 1);
    const { webhooks } = await harness.leading();
    harness.receiver.answer = () => new Response(null, { status: 503 });
    const numbers = Array.from({ length: 300 }, (_, number) => number);
    for (const _ of numbers) await harness.emit();
    await until(async () => await harness.users.unfinished() === 0, "all was read from the log");
    const { dropped, queuedEvents } = webhooks.stats();
    assert.deepEqual([dropped.queueFull, queuedEvents], [0, 300]);
    harness.receiver.deliveries.length = 0;
    harness.receiver.answer = () => new Response("ok");
    await until(() => webhooks.stats().delivered === 300);
    assert.deepEqual(harness.received(), numbers);
  });

  it("goes on after Redis lost its data, and records who left with it", async () => {
    await using harness = await LeaderHarness.open(store, 2);
    await harness.leading();
    for (const user of ["ada", "ben"]) await harness.users.join(user);
    await until(async () => (await harness.attended()).length === 2);
    const { node } = harness.users.cluster;
    const before = node.name;
    await redis.flushAll();
    await until(() => node.isUp && node.name !== before);
    await harness.users.join("ben", true);
    await until(async () => (await harness.attended()).length === 3);
    // She left at some time since a leader was known to run.
    const attended = (await harness.attended()).toSorted();
    assert.deepEqual(attended, ["ada joined", "ada server_lost", "ben joined"]);
    assert.deepEqual((await harness.activity.open("presence-chart")).map(({ userId }) => userId), [
      "ben",
    ]);
  });
});

describe("a leader whose tasks cannot begin", () => {
  it("tries again, and reads nothing of the log before", async () => {
    const calls: string[] = [];
    const clock = new ManualClock();
    let failures = 2;
    let waiting: Promise<boolean> | undefined;

    const logged: string[] = [];
    const leader = new Leader({
      state: partOf({
        lead: () => Promise.resolve(true),
        resign: () => Promise.resolve(void calls.push("resign")),
        read: () => Promise.reject(new Error("not asked")),
        scan: () => Promise.reject(new Error("not asked")),
      }),
      shared: partOf({
        acknowledge: () => Promise.resolve(),
        trim: () => Promise.resolve(),
        read: () => Promise.resolve((calls.push("read"), { isNew: false, began: "1", lines: [] })),
      }),
      tasks: {
        hasRoom: true,
        begin({ caughtUp }) {
          calls.push("begin");
          // As the comparison of the activity with the members, which goes on beside the other tasks.
          waiting = caughtUp();
          return failures-- > 0 ? Promise.reject(new Error("no database")) : Promise.resolve();
        },
        take: () => Promise.resolve(),
        lost: () => {},
        async end() {
          calls.push("end");
          await waiting;
        },
      },
      node: () => "one",
      clock,
      log: ({ message }) => logged.push(message),
    });
    leader.start();
    await until(() => {
      clock.advance(100);
      return calls.includes("read");
    });
    await leader.stop();
    assert.deepEqual(calls.slice(0, 6), ["begin", "end", "begin", "end", "begin", "read"]);
    assert.deepEqual(calls.slice(-2), ["end", "resign"]);
    assert.equal(logged.filter((message) => message.includes("could not begin")).length, 1);
    assert.equal(clock.timers, 0);
  });
});

const later: LogLine = ["5-0", ["v", "3", "e", "{}"]];

describe("a leader that finds an entry of a later release in the log", () => {
  it("ends its tasks, gives up leadership and never asks for it again", async () => {
    const calls: string[] = [];
    const clock = new ManualClock();
    const leader = new Leader({
      state: partOf({
        lead: () => Promise.resolve((calls.push("lead"), true)),
        resign: () => Promise.resolve(void calls.push("resign")),
        read: () => Promise.reject(new Error("not asked")),
        scan: () => Promise.reject(new Error("not asked")),
      }),
      shared: partOf({
        acknowledge: () => Promise.resolve(void calls.push("acknowledged")),
        trim: () => Promise.resolve(void calls.push("acknowledged")),
        read: () => Promise.resolve({ isNew: false, began: "1", lines: [later] }),
      }),
      tasks: {
        hasRoom: true,
        begin: () => Promise.resolve(),
        take: () => Promise.resolve(void calls.push("taken")),
        lost: () => {},
        end: () => Promise.resolve(void calls.push("end")),
      },
      node: () => "one",
      clock,
      log: ({ level, message }) => void (level === "error" && calls.push(message)),
    });
    leader.start();
    await until(() => calls.includes("resign"));
    for (let second = 0; second < 60; second++) {
      clock.advance(1_000);
      await Promise.resolve();
    }
    assert.equal(leader.isLeader, false);
    const [, message] = calls;
    assert.match(message, /entry of a later release/);
    assert.deepEqual(calls, ["lead", message, "end", "resign"]);
    assert.equal(clock.timers, 0);
  });
});
