import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import fc from "fast-check";
import { PendingRequest } from "@/realtime/cluster/bus/bus.ts";
import {
  maxMessageLength,
  readMessage,
  request,
  writeMessage,
} from "@/realtime/cluster/bus/messages.ts";
import { appCommandKinds, changedCommand } from "@/realtime/cluster/bus/commands.ts";
import * as requests from "@/realtime/cluster/bus/requests.ts";
import { ManualClock } from "../../manual_clock.ts";
import { BusServer, MemoryTopics } from "./bus_server.ts";

const sum = request("sum", z.object({ add: z.number() }), z.number());

/** A tick of the event loop, in which a request is sent. */
const settle = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Three servers; the second and third answer with their number. */
async function three() {
  const [topics, clock, all] = [new MemoryTopics(), new ManualClock(), [] as BusServer[]];
  const servers = [1, 2, 3].map((number) =>
    new BusServer(topics.connect(), { number, clock, all })
  ) as [BusServer, BusServer, BusServer];
  for (const { bus } of servers) await bus.start();
  for (const { bus, name } of servers.slice(1)) {
    bus.respond(sum, ({ add }) => add + Number(name.split(".")[0]));
  }
  return { topics, clock, all, servers };
}

describe("a request to all servers", () => {
  it("has the response of each, and is complete without waiting", async () => {
    const { servers: [one], clock } = await three();
    assert.deepEqual(await one.bus.ask(sum, { add: 10 }), {
      responses: [{ server: "2", response: 12 }, { server: "3", response: 13 }],
      isComplete: true,
    });
    assert.deepEqual([clock.timers, one.bus.stats().requests], [0, 0]);
  });

  it("is complete at once for a server that is alone", async () => {
    const [clock, all] = [new ManualClock(), [] as BusServer[]];
    const server = new BusServer(new MemoryTopics().connect(), { number: 1, clock, all });
    await server.bus.start();
    assert.deepEqual(await server.bus.ask(sum, { add: 1 }), { responses: [], isComplete: true });
  });

  it("is incomplete, without waiting, when a server with a lease has died", async () => {
    const { servers: [one, two] } = await three();
    await two.bus.stop();
    const { responses, isComplete } = await one.bus.ask(sum, { add: 1 });
    assert.deepEqual([responses.map(({ server }) => server), isComplete], [["3"], false]);
  });

  it("is incomplete after 300 ms when a server does not answer, and takes no response later", async () => {
    const { servers: [one, two], clock, topics } = await three();
    Object.assign(two.link, { publish: () => new Promise(() => {}) });
    const asked = one.bus.ask(sum, { add: 1 });
    await settle();
    clock.advance(299);
    assert.equal(one.bus.stats().requests, 1);
    clock.advance(1);
    const { responses, isComplete } = await asked;
    assert.deepEqual([responses.length, isComplete], [1, false]);
    topics.publish("test:node:1", '{"v":1,"t":"answer","id":"1-1","from":"2","data":3}');
    assert.equal(one.ignored.counts.malformed, 0);
  });

  it("is complete without a server whose lease is over, if it does not answer", async () => {
    const { servers: [one, two], clock, all } = await three();
    Object.assign(two.link, { publish: () => new Promise(() => {}) });
    all.splice(1, 1);
    const asked = one.bus.ask(sum, { add: 1 });
    await settle();
    clock.advance(300);
    assert.equal((await asked).isComplete, true);
  });

  it("is incomplete while Redis cannot be reached, even without another server", async () => {
    const [clock, all] = [new ManualClock(), [] as BusServer[]];
    const redis = new MemoryTopics().connect();
    const server = new BusServer(redis, { number: 1, clock, all });
    await server.bus.start();
    redis.isUp = false;
    assert.deepEqual(await server.bus.ask(sum, { add: 1 }), { responses: [], isComplete: false });
  });

  it("is incomplete at once where a server does not know it, fails, or answers too much", async () => {
    const { servers: [one, two, three_] } = await three();
    const later = request("later", z.object({}), z.string());
    two.bus.respond(later, () => {
      throw new Error("of the test");
    });
    assert.deepEqual(await one.bus.ask(later, {}), { responses: [], isComplete: false });
    assert.equal(three_.ignored.counts.unknown, 1);
    assert.deepEqual(two.logged.map(({ message }) => message), [
      "A message of another server failed",
    ]);
    two.bus.respond(later, () => "x".repeat(15_000_001));
    three_.bus.respond(later, () => "ok");
    const { responses, isComplete } = await one.bus.ask(later, {});
    assert.deepEqual([responses, isComplete], [[{ server: "3", response: "ok" }], false]);
  });

  it("takes the first response of a server, and none of another form", async () => {
    const { servers: [one, two, other], topics } = await three();
    two.bus.respond(sum, () => "many" as unknown as number);
    other.bus.respond(sum, () => {
      topics.publish("test:node:1", '{"v":1,"t":"answer","id":"1-1","from":"3","data":1}');
      return 2;
    });
    const { responses, isComplete } = await one.bus.ask(sum, { add: 1 });
    assert.deepEqual([responses, isComplete], [[{ server: "3", response: 1 }], false]);
    assert.equal(one.ignored.counts.malformed, 1);
  });
});

describe("a request to one server", () => {
  it("has its response, and none of another server", async () => {
    const { servers: [one], topics, clock } = await three();
    assert.equal(await one.bus.askOne("3", sum, { add: 1 }), 4);
    const asked = one.bus.askOne("4", sum, { add: 1 });
    topics.publish("test:node:1", '{"v":1,"t":"answer","id":"1-2","from":"2","data":3}');
    assert.equal(await asked, undefined);
    assert.equal(clock.timers, 0);
  });
});

describe("a response that is too long for one message", () => {
  const people = request("people", z.object({}), z.array(z.string()), { responseMs: 5_000 });

  it("comes in parts, as it was, while other messages come", async () => {
    const { servers: [one, two], topics } = await three();
    const names = Array.from({ length: 40_000 }, (_, index) => `"Zoë" 👩‍💻 number ${index}`);
    two.bus.respond(people, async () => {
      await settle();
      return names;
    });
    const [response, other] = await Promise.all([
      one.bus.askOne("2", people, {}),
      one.bus.askOne("3", sum, { add: 1 }),
    ]);
    assert.deepEqual(response, names);
    assert.equal(other, 4);
    const sizes = topics.published.map(({ text }) => text.length);
    assert.ok(sizes.length > 8 && Math.max(...sizes) < 1_000_000, String(sizes));
  });

  it("is none when a part of it is missing, once its time is over", async () => {
    const { servers: [one, , other], topics, clock } = await three();
    other.bus.respond(people, () => new Promise<string[]>(() => {}));
    const asked = one.bus.askOne("3", people, {});
    topics.publish("test:node:1", part(1, 3, '"Ada"'));
    topics.publish("test:node:1", part(2, 3, "]"));
    await settle();
    assert.equal(one.bus.stats().requests, 1);
    clock.advance(5_000);
    assert.equal(await asked, undefined);
  });

  it("is none when it is not of the form of a response", async () => {
    for (const text of ["[1]", "[", "{}"]) {
      const asked = new PendingRequest("4");
      asked.part("4", { index: 0, count: 2, text });
      asked.part("3", { index: 1, count: 2, text: "x" });
      asked.part("4", { index: 1, count: 2, text: "x" });
      asked.sent(1);
      assert.deepEqual([...(await asked.done).responses], [["4", undefined]]);
    }
  });

  const part = (index: number, count: number, text: string) =>
    JSON.stringify({ v: 1, t: "part", id: "1-1", from: "3", index, count, text });
});

describe("a request that waits for one server", () => {
  it("is not ended by a response of another server", async () => {
    const asked = new PendingRequest("3");
    asked.sent(1);
    asked.responded("2", "forged");
    asked.responded("3", "true");
    assert.deepEqual([...(await asked.done).responses], [["3", "true"]]);
  });
});

describe("messages that a server cannot read", () => {
  it("are not those that it has no handler for yet, while it starts", async () => {
    const { servers: [one], topics, clock, all } = await three();
    const starting = new BusServer(topics.connect(), { number: 4, clock, all, isStarting: true });
    await starting.bus.start();
    const { isComplete } = await one.bus.ask(requests.connectionsRequest, { app: "1" });
    assert.equal(isComplete, false);
    topics.publish("test:nodes", '{"v":1,"t":"order","id":"1","from":"9","name":"activity"}');
    assert.deepEqual([starting.ignored.counts.unknown, starting.logged], [0, []]);
    starting.servers.serve(starting.realtime);
    topics.publish("test:nodes", '{"v":1,"t":"order","id":"2","from":"9","name":"dance"}');
    assert.equal(starting.ignored.counts.unknown, 1);
  });

  it("are counted, and logged once of each kind", async () => {
    const { servers: [one], topics } = await three();
    for (let time = 0; time < 3; time++) {
      topics.publish("test:nodes", '{"v":2,"t":"ask"}');
      topics.publish("test:nodes", '{"v":1,"t":"greeting"}');
      topics.publish("test:nodes", '{"v":1,"t":"order","id":"1","from":"9","name":"dance"}');
      topics.publish("test:nodes", "{");
      topics.publish("test:nodes", '{"v":1,"t":"ask","id":"1","from":"nine","name":"sum"}');
    }
    assert.deepEqual(one.ignored.counts, { unknown: 9, malformed: 6 });
    assert.deepEqual(one.logged.map(({ what }) => what), [
      "version 2, type ask",
      "version 1, type greeting",
      "command dance",
      "not JSON",
      "ask: from",
    ]);
  });

  it("lose no later message", async () => {
    const { servers: [one], topics } = await three();
    topics.publish("test:nodes", '{"v":1,"t":"order","id":"1","from":"9","name":"closeUser"}');
    topics.publish("test:nodes", "\0");
    assert.equal((await one.bus.ask(sum, { add: 1 })).isComplete, true);
  });
});

describe("an order", () => {
  it("reaches every other server once, and not the one that gives it", async () => {
    const { servers, topics } = await three();
    const done: string[] = [];
    for (const { changes, name } of servers) {
      changes.onChanged("alerts", () => void done.push(name));
    }
    servers[0].changes.changed("alerts");
    assert.deepEqual(done, ["2.1", "3.1"]);
    const commands = topics.published.filter(({ text }) => JSON.parse(text).t === "order");
    assert.equal(commands.length, 1);
  });
});

const names = [
  ...Object.values(requests).flatMap((kind) => typeof kind === "object" ? [kind.name] : []),
  ...[...Object.values(appCommandKinds), changedCommand].map(({ name }) => name),
];

/** Data that resemble messages' data. */
const data = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(
    fc.constantFrom(
      "app",
      "channel",
      "user",
      "userId",
      "users",
      "among",
      "socket",
      "forMs",
      "__proto__",
    ),
    fc.oneof(fc.jsonValue(), fc.constant("1"), fc.array(fc.string())),
  ),
);

/** Messages in which anything may be wrong. */
const hostile = fc.record({
  v: fc.oneof({ weight: 9, arbitrary: fc.constant<unknown>(1) }, fc.jsonValue()),
  t: fc.oneof({ weight: 9, arbitrary: fc.constantFrom("ask", "answer", "order") }, fc.jsonValue()),
  id: fc.oneof(fc.string(), fc.constant("1-1"), fc.jsonValue()),
  from: fc.oneof(fc.constant("7"), fc.jsonValue()),
  name: fc.oneof({ weight: 9, arbitrary: fc.constantFrom<unknown>(...names) }, fc.jsonValue()),
  age: fc.oneof(fc.double(), fc.jsonValue()),
  data,
}, { requiredKeys: [] });

describe("a text from a topic", () => {
  it("never throws, whatever it is", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void readMessage(text)));
    fc.assert(fc.property(fc.json(), (text) => void readMessage(text)));
    fc.assert(fc.property(hostile, (message) => void readMessage(JSON.stringify(message))));
  });

  it("is read as it was written", () => {
    const sent = {
      t: "order",
      id: "1-1",
      from: "1",
      name: "a",
      data: { x: ["é", null] },
      age: 2.5,
    };
    const read = readMessage(writeMessage(sent as Parameters<typeof writeMessage>[0]));
    assert.deepEqual(read, { ok: true, message: sent });
  });

  it("may have fields and data of a later release", () => {
    const text = '{"v":1,"t":"ask","id":"1","from":"1","name":"a","hops":3,"data":{"x":1}}';
    const message = { t: "ask", id: "1", from: "1", name: "a", data: { x: 1 } };
    assert.deepEqual(readMessage(text), { ok: true, message });
  });

  it("that is too long is neither read nor written", () => {
    const long = "x".repeat(maxMessageLength);
    assert.deepEqual(readMessage(`{"v":1,"t":"${long}"}`).ok, false);
    const message = { t: "answer", id: "1", from: "1", data: long } as const;
    assert.throws(() => writeMessage(message), RangeError);
  });
});

describe("a server that receives hostile messages", () => {
  it("never fails, closes no foreign connection, and answers requests afterwards", async () => {
    const [topics, clock, all] = [new MemoryTopics(), new ManualClock(), [] as BusServer[]];
    const [one, other] = [1, 2].map((number) =>
      new BusServer(topics.connect(), { number, clock, all })
    );
    for (const { bus } of all) await bus.start();
    one.join("ann");
    fc.assert(
      fc.property(hostile, fc.constantFrom("test:nodes", "test:node:1"), (message, topic) => {
        topics.publish(topic, JSON.stringify(message));
      }),
      { numRuns: 2_000 },
    );
    assert.deepEqual(one.logged.filter(({ level }) => level === "error"), []);
    assert.equal(one.open, 1);
    assert.deepEqual(await other.everywhere.connections(), { connections: 1, isComplete: true });
    assert.ok(one.logged.length <= 100, "the log stays short");
  });
});
