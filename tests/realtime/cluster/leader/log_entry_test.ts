import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { entryFields, readEntry } from "@/realtime/cluster/leader/log_entry.ts";
import type { ServerEvent } from "@/realtime/server.ts";

const id = "1700000000123-4";

describe("an entry of the log", () => {
  const join = '{"name":"member_added","app":"shop","channel":"presence-a","user":"7","at":5}';
  const leave =
    '{"name":"member_removed","app":"shop","channel":"presence-a","user":"7","reason":"closed"}';

  it("is a join with its member, at the time that it states", () => {
    const member = { id: "7", info: '{"a":1}', profile: { name: "Ada" } };
    const fields = ["v", "1", "e", join, "m", JSON.stringify(member)];
    assert.deepEqual(readEntry(id, fields), {
      logged: {
        id,
        at: 5,
        appId: "shop",
        event: {
          name: "member_added",
          channel: "presence-a",
          userId: "7",
          member,
        },
      },
    });
  });

  it("is a leave, with or without its member, at the time of its id", () => {
    const event = { name: "member_removed", channel: "presence-a", userId: "7", reason: "closed" };
    const logged = { id, at: 1_700_000_000_123, appId: "shop" };
    assert.deepEqual(readEntry(id, ["v", "1", "e", leave]), { logged: { ...logged, event } });
    const withMember = readEntry(id, ["v", "1", "e", leave, "m", '{"id":"7","info":"{}"}']);
    const member = { id: "7", info: "{}" };
    assert.deepEqual(withMember, { logged: { ...logged, event: { ...event, member } } });
  });

  it("is what a node has written", () => {
    const events: ServerEvent[] = [
      { name: "cache_miss", channel: "cache-a" },
      { name: "subscription_count", channel: "room", count: 3 },
      {
        name: "client_event",
        channel: "presence-a",
        event: "client-typed",
        data: { text: "😀\n" },
        socketId: "1.2",
        userId: "7",
      },
      {
        name: "client_event",
        channel: "private-a",
        event: "client-typed",
        data: null,
        socketId: "1.2",
        userId: undefined,
      },
    ];
    for (const event of events) {
      const read = readEntry(id, entryFields(event, "shop"));
      assert.ok("logged" in read);
      assert.deepEqual(read.logged.event, event);
      assert.equal(read.logged.appId, "shop");
    }
  });

  it("of a later version is known as such", () => {
    assert.deepEqual(readEntry(id, ["v", "2", "e", join]), { fault: "later" });
  });

  it("that is a leave for a reason of a later release is one of a removed user", () => {
    const read = readEntry(id, ["v", "1", "e", leave.replace("closed", "bored")]);
    const event = { name: "member_removed", channel: "presence-a", userId: "7", reason: "removed" };
    assert.deepEqual("logged" in read && read.logged.event, event);
  });

  const malformed: [string, string[]][] = [
    ["no fields", []],
    ["a field without a value", ["v"]],
    ["no event", ["v", "1"]],
    ["an event that is no JSON", ["v", "1", "e", "{"]],
    ["an unknown name", ["v", "1", "e", join.replace("member_added", "member_moved")]],
    ["a join without a member", ["v", "1", "e", join]],
    ["a join with a damaged member", ["v", "1", "e", join, "m", '{"id":"7","info":']],
    ["a version that is no number", ["v", "one", "e", leave]],
    ["a version before the first", ["v", "0", "e", leave]],
    ["a user id that is too long", ["v", "1", "e", leave.replace('"7"', `"${"7".repeat(129)}"`)]],
  ];
  for (const [name, fields] of malformed) {
    it(`with ${name} is malformed`, () => {
      assert.deepEqual(readEntry(id, fields), { fault: "malformed" });
    });
  }

  it("never throws, whatever its fields are", () => {
    fc.assert(fc.property(fc.array(fc.string()), fc.json(), (fields, json) => {
      readEntry(id, fields);
      readEntry(id, ["v", "1", "e", json, "m", json]);
    }));
  });
});
