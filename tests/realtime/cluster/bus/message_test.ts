import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { appCommandKinds, changedCommand } from "@/realtime/cluster/bus/commands.ts";
import { maxMessageLength, readMessage, writeMessage } from "@/realtime/cluster/bus/messages.ts";
import * as requests from "@/realtime/cluster/bus/requests.ts";
import { ManualClock } from "../../manual_clock.ts";
import { BusServer } from "./bus_server.ts";
import { MemoryTopics } from "./memory_redis.ts";

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
