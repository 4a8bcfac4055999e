import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { memberText, readMember, readMembers } from "@/realtime/cluster/messages/room_message.ts";
import { profile } from "@/realtime/protocol/member.ts";

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
        { id: "é".repeat(128), info: '{"name":"Ada"}', profile: { name: "Ada", detail: "Sales" } },
        { id: "7", info: "null", profile: { url: "https://example.com/7", quiet: true } },
      ]
    ) assert.deepEqual(readMember(memberText(member)), member);
  });

  it("has the profile that the rules for profiles give, whatever another server wrote", () => {
    fc.assert(fc.property(fc.oneof(stated, fc.jsonValue()), (value) => {
      const read = readMember(JSON.stringify({ id: "7", info: "{}", profile: value }));
      const json = JSON.parse(JSON.stringify(value));
      const expected = profile.safeParse(json);
      if (!expected.success) return assert.equal(read, undefined);
      const { data } = expected;
      assert.deepEqual(read, { id: "7", info: "{}", ...data && { profile: data } });
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
