import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { appCommandKinds, changedCommand } from "@/realtime/cluster/bus/commands.ts";
import { readMessage } from "@/realtime/cluster/bus/messages.ts";
import * as requests from "@/realtime/cluster/bus/requests.ts";
import {
  inOrder,
  memberText,
  readMember,
  readMembers,
} from "@/realtime/cluster/messages/room_message.ts";
import { type Member, memberOptions } from "@/realtime/protocol/member.ts";
import { ManualClock } from "../../manual_clock.ts";
import { BusServer, MemoryTopics, room } from "../bus/bus_server.ts";
import { type SentMessage, sentMessages } from "./sent_messages.ts";

const folder = new URL("recorded/", import.meta.url);

/** The messages of each release that was recorded. */
const recorded: { release: string; messages: SentMessage[] }[] = [];
for await (const { name } of Deno.readDir(folder)) {
  const messages = JSON.parse(await Deno.readTextFile(new URL(name, folder)));
  recorded.push({ release: name.replace(".json", ""), messages });
}

const asked = Object.values(requests).filter((value) => typeof value === "object");
const ordered = [...Object.values(appCommandKinds), changedCommand];

/** The messages with the kind of each; an answer has its question's. */
function kindsIn(messages: readonly SentMessage[]) {
  const names = new Map<string, string>();
  return messages.map(({ text }) => {
    const read = readMessage(text);
    assert.ok(read.ok, text);
    const { message } = read;
    if (message.t === "part") throw new Error("Parts are not recorded");
    if (message.t === "ask") names.set(message.id, message.name);
    const name = message.t === "answer" ? names.get(message.id) : message.name;
    return { message, name };
  });
}

describe("the recorded messages", () => {
  for (const { release, messages } of recorded) {
    it(`of release ${release} are read by this one, each of them`, () => {
      for (const { message, name } of kindsIn(messages)) {
        const request = asked.find((kind) => kind.name === name);
        const form = message.t === "order"
          ? ordered.find((kind) => kind.name === name)?.command
          : message.t === "ask"
          ? request?.request
          : request?.response;
        const read = form?.safeParse(message.data);
        assert.ok(read?.success, `${message.t} ${name}: ${read?.error}`);
      }
    });

    it(`of release ${release} are answered and carried out as it expects`, async () => {
      const [topics, clock, all] = [new MemoryTopics(), new ManualClock(), [] as BusServer[]];
      const server = new BusServer(topics.connect(), {
        number: 2,
        clock,
        all,
        prefix: "rollcall:",
      });
      await server.bus.start();
      server.servers.serveStatuses(() => ({ joined: [], rejected: [] }));
      server.servers.serveMetrics(undefined, () => assert.fail("it has no supervisor"));
      server.servers.servePages(() => Promise.resolve({ status: 200, body: "{}" }));
      server.join("ann");
      const { id } = server.connect();
      for (const { message, name } of kindsIn(messages)) {
        if (message.from !== "1") continue;
        const { topic, text } = messages.find(({ text }) => text.includes(`"${message.id}"`))!;
        topics.publish(topic, text);
        if (name === "claim") assert.equal(server.app.connections.get(id)?.owner?.userId, "bob");
        if (name === "members") assert.equal(server.app.presence.members(room).length, 1);
      }
      const { malformed, unknown } = server.ignored.counts;
      assert.deepEqual([unknown, malformed, server.open], [0, 0, 0]);
      await server.stop();
    });
  }

  it("are of every kind that this release sends", async () => {
    const kinds = (messages: readonly SentMessage[]) =>
      [...new Set(kindsIn(messages).map(({ message, name }) => `${message.t} ${name}`))].sort();
    const sent = kinds(await sentMessages());
    assert.deepEqual(
      sent,
      [
        ...asked.flatMap(({ name }) => [`answer ${name}`, `ask ${name}`]),
        ...ordered.map(({ name }) => `order ${name}`),
      ].sort(),
    );
    assert.ok(recorded.some(({ messages }) => kinds(messages).join() === sent.join()), "record.ts");
  });
});

const text = fc.oneof(fc.string(), fc.constantFrom("Ada", " a ", "a\u202eb", "x".repeat(101)));
const stated = fc.record({
  name: text,
  detail: fc.oneof(text, fc.constant(null)),
  url: fc.constantFrom("https://example.com/7", "javascript:alert(1)", "/7"),
  quiet: fc.oneof(fc.boolean(), text),
  more: text,
}, { requiredKeys: [] });

describe("a member's text", () => {
  it("is read as it was written", () => {
    for (
      const member of [
        { id: "7", info: "{}" },
        { id: "é".repeat(128), info: '{"name":"Ada"}', options: { name: "Ada", detail: "Sales" } },
        { id: "7", info: "null", options: { url: "https://example.com/7", quiet: true } },
      ]
    ) assert.deepEqual(readMember(memberText(member)), member);
  });

  it("has its options under the key that earlier servers read", () => {
    const text = memberText({ id: "7", info: "{}", options: { name: "Ada" } });
    assert.equal(text, '{"id":"7","info":"{}","profile":{"name":"Ada"}}');
  });

  it("has the options that their rules give, whatever another server wrote", () => {
    fc.assert(fc.property(fc.oneof(stated, fc.jsonValue()), (value) => {
      const read = readMember(JSON.stringify({ id: "7", info: "{}", profile: value }));
      const json = JSON.parse(JSON.stringify(value));
      const expected = memberOptions.safeParse(json);
      if (!expected.success) return assert.equal(read, undefined);
      const { data } = expected;
      assert.deepEqual(read, { id: "7", info: "{}", ...data && { options: data } });
    }));
  });

  const malformed = [
    "",
    "{",
    "null",
    "7",
    "[]",
    '"text"',
    "{}",
    '{"id":7,"info":"{}"}',
    '{"id":"","info":"{}"}',
    '{"id":"7"}',
    '{"id":"7","info":"{"}',
    '{"id":"7","info":{}}',
    '{"id":"7","info":"{}","profile":7}',
    JSON.stringify({ id: "7".repeat(129), info: "{}" }),
  ];
  for (const damaged of malformed) {
    it(`is malformed when it is ${damaged.slice(0, 40)}, and counted as such`, () => {
      let count = 0;
      const good = '{"id":"8","info":"{}"}';
      const members = readMembers([damaged, good], () => count++);
      assert.deepEqual([members, count], [[{ id: "8", info: "{}" }], 1]);
    });
  }
});

describe("the members of a room", () => {
  const member = (id: string, joinedAt?: number): Member => ({ id, info: "{}", joinedAt });

  it("are in the order in which they joined, those of an earlier release first", () => {
    const members = new Set([member("cleo", 3), member("ann", 1), member("old"), member("bob", 2)]);
    const ids = Array.from(inOrder(members), ({ id }) => id);
    assert.deepEqual(ids, ["old", "ann", "bob", "cleo"]);
  });

  it("stay as they are where they are very many", () => {
    const members = Array.from({ length: 1_001 }, (_, index) => member(`m-${index}`, -index));
    assert.deepEqual([...inOrder(new Set(members))], members);
  });
});
