import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { type Applied, MemberList } from "@/realtime/channels/member_list.ts";
import type { Member } from "@/realtime/protocol/member.ts";
import { exceededPresenceLimit } from "@/realtime/channels/channel_limits.ts";
import { added, channel, member, removed, updated } from "../doubles.ts";

function changesOf({ changes }: Applied): string[] {
  return changes.map((change) => {
    if ("updated" in change) return `${change.hasNewInfo ? "=" : "~"}${change.updated.id}`;
    return "added" in change ? `+${change.added.id}` : `-${change.removed}`;
  });
}

function listOf(version: number, ...ids: string[]): MemberList {
  const list = new MemberList(channel);
  list.replace({ version, members: ids.map((id) => member(id)) });
  return list;
}

describe("MemberList", () => {
  it("returns a change for each event in order, and none for one applied before", () => {
    const list = listOf(3, "a");
    assert.deepEqual(changesOf(list.apply(added(4, "b"))), ["+b"]);
    assert.deepEqual(list.apply(added(4, "b")), { changes: [], needsSnapshot: false });
    assert.deepEqual(changesOf(list.apply(removed(5, "a"))), ["-a"]);
    assert.deepEqual(list.ids(), ["b"]);
    assert.deepEqual(changesOf(list.apply(added(4, "a"))), []);
    assert.deepEqual(list.ids(), ["b"]);
  });

  it("encodes the members of the moment, after any joins and leaves since it was last encoded", () => {
    const list = listOf(1, "a");
    const ids = () => JSON.parse(JSON.parse(list.encode().text).data).presence.ids;
    assert.deepEqual(ids(), ["a"]);
    list.apply(added(2, "b"));
    assert.deepEqual(ids(), ["a", "b"]);
    list.apply(removed(3, "a"));
    assert.deepEqual(ids(), ["b"]);
  });

  it("changes a member in its place, and says whether the other members can see it", () => {
    const list = listOf(1, "a", "b");
    const encoded = () => JSON.parse(JSON.parse(list.encode().text).data).presence;
    encoded();
    assert.deepEqual(changesOf(list.apply(updated(2, member("a", '{"n":1}')))), ["=a"]);
    const hash = { a: { n: 1 }, b: {} };
    assert.deepEqual(encoded(), { ids: ["a", "b"], hash, count: 2 });
    const named = { ...member("a", '{"n":1}'), options: { name: "Ann" } };
    assert.deepEqual(changesOf(list.apply(updated(3, named))), ["~a"]);
    assert.deepEqual(list.get("a")?.options, { name: "Ann" });
    list.apply(added(4, "c"));
    list.apply(updated(5, member("c", "7")));
    assert.deepEqual(encoded(), { ids: ["a", "b", "c"], hash: { ...hash, c: 7 }, count: 3 });
    const lengths = [...list.ids().map((id) => id + list.get(id)?.info)];
    assert.equal(list.length, lengths.join("").length);
  });

  it("changes no one by an update of a user who is no member, or that was applied before", () => {
    const list = listOf(1, "a");
    assert.deepEqual(changesOf(list.apply(updated(2, member("b", "1")))), []);
    assert.deepEqual(list.ids(), ["a"]);
    list.apply(updated(3, member("a", "2")));
    assert.deepEqual(changesOf(list.apply(updated(2, member("a", "1")))), []);
    assert.equal(list.get("a")?.info, "2");
    assert.equal(list.apply(updated(5, member("a", "3"))).needsSnapshot, true);
  });

  it("tells of an update that it missed as an update, and of one who joined again as another as a leave", () => {
    const list = listOf(1, "a", "b", "c");
    list.apply(updated(2, member("c", "1")));
    const missed = { ...member("a", "1"), isUpdated: true };
    const members = [missed, member("b", "1"), member("c")];
    const applied = list.replace({ version: 9, members });
    assert.deepEqual(changesOf(applied), ["=a", "-b", "=c", "+b"]);
    assert.deepEqual(list.ids().map((id) => list.get(id)?.info), ["1", "{}", "1"]);
    const renamed = { ...missed, options: { name: "Ann" } };
    const again = list.replace({ version: 10, members: [renamed, ...members.slice(1)] });
    assert.deepEqual(changesOf(again), ["~a"]);
  });

  it("does not change after a gap in the versions, and returns the difference to the snapshot", () => {
    const list = listOf(1, "a", "b");
    assert.deepEqual(list.apply(added(3, "d")), { changes: [], needsSnapshot: true });
    assert.deepEqual(list.ids(), ["a", "b"]);
    const members = [member("b"), member("c"), member("d")];
    const applied = list.replace({ version: 3, members });
    assert.deepEqual(changesOf(applied), ["-a", "+c", "+d"]);
    assert.equal(applied.needsSnapshot, false);
  });

  it("needs another snapshot after one that is older than an event it has seen", () => {
    const list = listOf(1, "a");
    list.apply(added(5, "e"));
    const applied = list.replace({ version: 4, members: [member("a"), member("d")] });
    assert.deepEqual([changesOf(applied), applied.needsSnapshot], [["+d"], true]);
    assert.deepEqual(changesOf(list.apply(added(5, "e"))), ["+e"]);
  });

  it("keeps members that are missing from an unsettled snapshot, until a settled one", () => {
    const list = listOf(1, "a", "b");
    const members = [member("b"), member("c")];
    assert.deepEqual(changesOf(list.replace({ version: 9, members, isUnsettled: true })), ["+c"]);
    assert.deepEqual(changesOf(list.replace({ version: 9, members })), ["-a"]);
  });

  it("is replaced by a snapshot in parts, and lacks no one before the last part has come", () => {
    const list = listOf(1, "a", "b", "c");
    const part = (...ids: string[]) => ({ version: 9, members: ids.map((id) => member(id)) });
    assert.deepEqual(changesOf(list.replace({ ...part("c", "d"), isPartial: true })), ["+d"]);
    assert.deepEqual(changesOf(list.replace({ ...part("d", "e"), isPartial: true })), ["+e"]);
    assert.deepEqual(list.ids().toSorted(), ["a", "b", "c", "d", "e"]);
    assert.deepEqual(changesOf(list.replace(part("a"))), ["-b"]);
    assert.deepEqual(list.ids().toSorted(), ["a", "c", "d", "e"]);
    assert.deepEqual(changesOf(list.apply({ ...added(10, "f"), previous: 9 })), ["+f"]);
  });

  it("loses hundreds of thousands of members by one snapshot", () => {
    const members = Array.from({ length: 300_000 }, (_, index) => member(`u${index}`));
    const list = listOf(1);
    list.replace({ version: 1, members });
    assert.equal(list.replace({ version: 2, members: [member("u7")] }).changes.length, 299_999);
    assert.deepEqual(list.ids(), ["u7"]);
  });

  it("loses very many members in several steps of limited work, and is at the version after the last", () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => `u${index}`);
    const list = listOf(1, ...ids);
    const staying = ids.filter((_, index) => index % 4 === 0);
    const members = [...staying, "new"].map((id) => member(id));
    const steps: Applied[] = [];
    for (let isLeft = true; isLeft; isLeft = steps.at(-1)!.isUnfinished === true) {
      assert.ok(steps.length < 100, "the steps end");
      const some = steps.length === 0 ? members : [];
      steps.push(list.replace({ version: 5, members: some, removedAtOnce: 100 }));
      const isBehind = list.apply({ ...added(6, "zoe"), previous: 4 }).needsSnapshot;
      assert.ok(
        isBehind,
        "a change after the snapshot is not taken before its end, or after a gap",
      );
    }
    const removals = steps.map((step) => changesOf(step).filter((change) => change[0] === "-"));
    assert.ok(
      removals.every(({ length }) => length <= 100),
      removals.map((of) => of.length).join(),
    );
    assert.deepEqual(
      removals.flat(),
      ids.filter((id) => !staying.includes(id)).map((id) => `-${id}`),
    );
    assert.deepEqual(steps.flatMap(changesOf).filter((change) => change[0] === "+"), ["+new"]);
    assert.deepEqual(list.ids(), [...staying, "new"]);
    assert.deepEqual(changesOf(list.apply({ ...added(7, "zoe"), previous: 5 })), ["+zoe"]);
  });

  it("looks at few members in a step when hardly one is missing", () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => `u${index}`);
    const list = listOf(1, ...ids);
    const members = ids.slice(0, -1).map((id) => member(id));
    const first = list.replace({ version: 2, members, removedAtOnce: 10 });
    assert.deepEqual([first.isUnfinished, first.changes], [true, []]);
    let [last, steps] = [first, 1];
    for (; last.isUnfinished && steps < 100; steps++) {
      last = list.replace({ version: 2, members: [], removedAtOnce: 10 });
    }
    assert.deepEqual([steps, changesOf(last)], [10, ["-u999"]]);
  });

  it("forgets the removals of a snapshot that was not completed", () => {
    const list = listOf(1, "a", "b", "c", "d");
    const first = list.replace({ version: 5, members: [member("d")], removedAtOnce: 1 });
    assert.deepEqual([changesOf(first), first.isUnfinished], [["-a"], true]);
    const next = { version: 6, members: [member("a"), member("d")] };
    assert.deepEqual(changesOf(list.replace(next)), ["-b", "-c", "+a"]);
    assert.deepEqual(list.ids(), ["d", "a"]);
  });

  it("forgets the parts of a snapshot that was not completed", () => {
    const list = listOf(1, "a", "b");
    list.replace({ version: 9, members: [member("a"), member("x")], isPartial: true });
    assert.deepEqual(changesOf(list.replace({ version: 10, members: [member("b")] })), [
      "-a",
      "-x",
    ]);
  });

  it("is not known, and has no one, before the last part of its first snapshot has come", () => {
    const list = new MemberList("presence-room");
    list.replace({ version: 9, members: [member("a")], isPartial: true });
    assert.deepEqual([list.isKnown, list.size, list.has("a"), list.ids()], [false, 0, false, []]);
    list.replace({ version: 9, members: [member("b")] });
    assert.deepEqual([list.isKnown, list.size, list.ids()], [true, 2, ["a", "b"]]);
  });

  it("ignores a snapshot that is older than itself", () => {
    const list = listOf(5, "a");
    assert.deepEqual(changesOf(list.replace({ version: 4, members: [] })), []);
  });

  it("removes and adds a member whose info differs in a snapshot", () => {
    const list = listOf(1, "a");
    const applied = list.replace({ version: 9, members: [member("a", '{"new":1}')] });
    assert.deepEqual(changesOf(applied), ["-a", "+a"]);
  });

  it("equals the last snapshot, whichever events were lost or repeated before", () => {
    const lost = fc.array(
      fc.tuple(fc.constantFrom("a", "b", "c"), fc.integer({ min: 0, max: 2 })),
    );
    fc.assert(fc.property(lost, (toggles) => {
      const truth = new Set<string>();
      const list = listOf(0);
      let version = 0;
      for (const [id, times] of toggles) {
        const event = truth.delete(id) ? removed(++version, id) : added(++version, id);
        if (event.type === "added") truth.add(id);
        for (let time = 0; time < times; time++) list.apply(event);
      }
      list.replace({ version, members: [...truth].map((id) => member(id)) });
      assert.deepEqual(list.ids().sort(), [...truth].sort());
      assert.match(list.encode().text, new RegExp(`count\\\\":${truth.size}}`));
    }));
  });
});

const room = "presence-room";

/** The list as a client reads it from the frame. */
function read(list: MemberList): unknown {
  const { text, bytes } = list.encode();
  assert.equal(bytes, new TextEncoder().encode(text).length);
  const { event, data, ...rest } = JSON.parse(text);
  assert.equal(event, "pusher_internal:subscription_succeeded");
  assert.deepEqual(rest, { channel: room });
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
      const list = new MemberList(room);
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

const settings = { presenceMaxMembers: 5, presenceMaxFullMembers: 3 };
const maxListLength = 100;

interface Row {
  name: string;
  hasRoom?: boolean;
  hasRoomForFullMember?: boolean;
  length?: number;
  isQuiet?: boolean;
  observe?: boolean;
  limit: string | undefined;
}

const rows: Row[] = [
  { name: "a member where there is room", limit: undefined },
  {
    name: "a member of a full channel",
    hasRoom: false,
    hasRoomForFullMember: false,
    limit: "members",
  },
  { name: "a quiet member of a full channel", hasRoom: false, isQuiet: true, limit: "members" },
  {
    name: "a full member beside as many as may be",
    hasRoomForFullMember: false,
    limit: "fullMembers",
  },
  {
    name: "a quiet member beside them",
    hasRoomForFullMember: false,
    isQuiet: true,
    limit: undefined,
  },
  { name: "a full member of a list too long to send", length: 101, limit: "memberList" },
  { name: "a full member of the longest list", length: 100, limit: undefined },
  { name: "a quiet member, who is sent no list", length: 101, isQuiet: true, limit: undefined },
  {
    name: "an observer, who is no member",
    hasRoom: false,
    hasRoomForFullMember: false,
    observe: true,
    limit: undefined,
  },
  { name: "an observer of a list too long", observe: true, length: 101, limit: "memberList" },
];

describe("A presence channel that is open", () => {
  for (const row of rows) {
    const { name, hasRoom = true, hasRoomForFullMember = true, length = 0, isQuiet = false } = row;
    it(`${row.limit ? `refuses (${row.limit})` : "admits"} ${name}`, () => {
      const channel = {
        hasRoomFor: (userId: string, max: number) => {
          assert.deepEqual([userId, max], ["ann", 5]);
          return hasRoom;
        },
        hasRoomForFullMember: (userId: string, max: number) => {
          assert.deepEqual([userId, max], ["ann", 3]);
          return hasRoomForFullMember;
        },
        members: { length },
      };
      const member = { id: "ann", info: "{}", options: { observe: row.observe } };
      const limit = exceededPresenceLimit(channel, member, isQuiet, settings, maxListLength);
      assert.equal(limit, row.limit);
    });
  }
});
