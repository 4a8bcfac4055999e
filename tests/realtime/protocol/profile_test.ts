import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "@std/testing/bdd";
import { readChannelData, readUserData } from "@/realtime/protocol/incoming.ts";
import { nameInInfo } from "@/realtime/protocol/member.ts";

/** The member that some `channel_data` signs. */
function member(data: unknown) {
  const read = readChannelData(JSON.stringify(data));
  assert.ok(read.ok, read.ok ? "" : read.fault);
  return read.value;
}

function faultOf(data: unknown): string {
  const read = readChannelData(JSON.stringify(data));
  assert.ok(!read.ok);
  return read.fault;
}

const full = {
  name: "Ann Miller",
  detail: "Team Blue",
  url: "https://crm.example.com/users/7",
  quiet: true,
  observe: true,
};

describe("the profile of a member", () => {
  it("is read beside user_info and inside of it, and leaves the rest of user_info as it is", () => {
    const beside = member({ user_id: 7, user_info: { color: "red" }, rollcall: full });
    const inside = member({ user_id: 7, user_info: { color: "red", rollcall: full } });
    const expected = { id: "7", info: { color: "red" }, profile: full };
    assert.deepEqual([beside, inside], [expected, expected]);
  });

  it("is read from user_data as well", () => {
    const read = readUserData(JSON.stringify({ id: "7", user_info: { rollcall: full } }));
    assert.deepEqual(read.ok && read.value, { id: "7", info: {}, profile: full, watchlist: [] });
  });

  it("is the one beside user_info when there are two", () => {
    const two = { user_id: "7", user_info: { rollcall: { name: "B" } }, rollcall: { name: "A" } };
    assert.deepEqual(member(two), { id: "7", info: {}, profile: { name: "A" } });
  });

  it("ignores unknown fields, null, and the empty list of PHP", () => {
    const some = { ...full, name: null, badge: "gold", url: undefined };
    assert.deepEqual(member({ user_id: "7", rollcall: some }).profile, {
      detail: "Team Blue",
      quiet: true,
      observe: true,
    });
    for (const rollcall of [null, [], {}, { name: null }, { name: " \n " }]) {
      assert.deepEqual(member({ user_id: "7", user_info: { rollcall } }), {
        id: "7",
        info: {},
        profile: undefined,
      });
    }
  });

  const wrong: [rollcall: unknown, fault: RegExp][] = [
    [{ name: 7 }, /at rollcall\.name: .*expected string/],
    [{ detail: ["x"] }, /at rollcall\.detail: .*expected string/],
    [{ quiet: "yes" }, /at rollcall\.quiet: .*expected boolean/],
    [{ observe: "yes" }, /at rollcall\.observe: .*expected boolean/],
    [{ url: "javascript:alert(1)" }, /at rollcall\.url: expected an http or https address/],
    [{ url: `https://x.org/${"a".repeat(1_000)}` }, /at rollcall\.url: .*at most 1000 characters/],
    ["Ann", /at rollcall: .*expected object/],
  ];
  for (const [rollcall, fault] of wrong) {
    it(`is refused with the field at fault: ${JSON.stringify(rollcall).slice(0, 40)}`, () => {
      assert.match(faultOf({ user_id: "7", rollcall }), fault);
      const inside = faultOf({ user_id: "7", user_info: { rollcall } });
      assert.match(
        inside,
        new RegExp(fault.source.replace("at rollcall", "at user_info.rollcall")),
      );
    });
  }

  it("has one line of at most 100 characters as a name, whatever is sent", () => {
    const anyText = fc.string({ unit: "binary", maxLength: 300 });
    fc.assert(fc.property(anyText, (text) => {
      const { name } = member({ user_id: "7", rollcall: { name: text } }).profile ?? {};
      if (name === undefined) return;
      assert.ok(Array.from(name).length <= 100 && name.trim() !== "");
      assert.doesNotMatch(name, /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
      assert.ok(name.isWellFormed() || !text.isWellFormed());
    }));
  });

  it("leaves user_info alone where it is no object with the key", () => {
    const info = fc.jsonValue().filter((value) => !JSON.stringify(value).includes("rollcall"));
    fc.assert(fc.property(info, (user_info) => {
      const json = JSON.parse(JSON.stringify(user_info));
      assert.deepEqual(member({ user_id: "7", user_info: json }).info, json);
    }));
  });
});

describe("the name in user_info", () => {
  it("is its text `name`, if it has one", () => {
    const texts = [`{"name":" Ann "}`, `{"name":7}`, `{"name":""}`, `"Ann"`, "null", "[]"];
    assert.deepEqual(texts.map(nameInInfo), ["Ann", ...Array(5).fill(undefined)]);
  });
});
