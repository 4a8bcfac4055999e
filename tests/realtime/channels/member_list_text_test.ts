import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import type { Member } from "@/realtime/protocol/member.ts";
import { MemberList } from "@/realtime/channels/member_list.ts";

const channel = "presence-room";

/** The list as a client reads it from the frame. */
function read(list: MemberList): unknown {
  const { text, bytes } = list.encode();
  assert.equal(bytes, new TextEncoder().encode(text).length);
  const { event, data, ...rest } = JSON.parse(text);
  assert.equal(event, "pusher_internal:subscription_succeeded");
  assert.deepEqual(rest, { channel });
  return JSON.parse(data).presence;
}

function expected(members: ReadonlyMap<string, unknown>): unknown {
  const hash = Object.fromEntries(members);
  return { ids: [...members.keys()], hash, count: Object.keys(hash).length };
}

/**
 * Ids without a backslash: V8 15.0 reads the key `"\""` as `"\\"` where an object before had
 * that in its place.
 */
const id = fc.oneof(fc.constantFrom("a", "b", "ü", '"', "😀"), fc.string({ unit: "binary" }))
  .filter((text) => text !== "__proto__" && !text.includes("\\"));

const info = fc.constantFrom("{}", "null", '"\\"\\\\"', '{"id":"ü"}', '[1,{"😀":""}]');

const step = fc.record({
  id,
  info,
  joins: fc.boolean(),
  looks: fc.boolean(),
});

function removal(userId: string) {
  return { type: "removed" as const, userId };
}

describe("MemberListText", () => {
  it("encodes exactly the members, whichever joined and left before", () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const list = new MemberList(channel);
      list.replace({ version: 0, members: [] });
      const model = new Map<string, unknown>();
      steps.forEach(({ id, info, joins, looks }, index) => {
        const member: Member = { id, info };
        const event = joins ? { type: "added" as const, member } : removal(id);
        list.apply({ ...event, previous: index, version: index + 1 });
        if (!joins) model.delete(id);
        else if (!model.has(id)) model.set(id, JSON.parse(info));
        if (looks) assert.deepEqual(read(list), expected(model));
      });
      assert.deepEqual(read(list), expected(model));
    }));
  });
});
