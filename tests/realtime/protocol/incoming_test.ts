import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  maxPathLength,
  memberUpdate,
  readChannelData,
  readFrame,
  readUserData,
  readValue,
  reportedPage,
  subscribeData,
} from "@/realtime/protocol/incoming.ts";
import { nameInInfo, updatedMember } from "@/realtime/protocol/member.ts";

/** Data of a frame with as many brackets open at once as stated; the frame's own is one. */
const nested = (depth: number) =>
  `{"event":"e","data":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;

describe("A client's frame", () => {
  it("is nested at most 32 levels", () => {
    assert.ok(readFrame(nested(32)).ok);
    assert.deepEqual(readFrame(nested(33)), { ok: false, fault: "Invalid frame: nested too deep" });
  });

  it("may have any number of brackets in its texts, and one after another", () => {
    for (const data of ["[".repeat(100), `"${"{".repeat(100)}`, `\\"${"[".repeat(100)}`]) {
      assert.ok(readFrame(JSON.stringify({ event: "e", data })).ok, data);
    }
    assert.ok(readFrame(JSON.stringify({ event: "e", data: Array(100).fill([]) })).ok);
  });

  it("has an event of 1 to 200 characters", () => {
    const eventOf = (event: string) => readFrame(JSON.stringify({ event })).ok;
    assert.deepEqual(["", "e", "e".repeat(200), "e".repeat(201)].map(eventOf), [
      false,
      true,
      true,
      false,
    ]);
  });
});

describe("The data of a subscription", () => {
  it("needs a channel alone, and may have null for the rest, as clients send it", () => {
    for (const more of [{}, { auth: null, channel_data: null }]) {
      const read = readValue({ channel: "a", ...more }, subscribeData, "subscription");
      assert.ok(read.ok);
      const { channel, auth, channel_data } = read.value;
      assert.deepEqual({ channel, auth, channel_data }, {
        channel: "a",
        auth: "",
        channel_data: undefined,
      });
    }
  });

  it("names the field that is wrong", () => {
    const read = readValue({ channel: "a b" }, subscribeData, "subscription");
    assert.ok(!read.ok);
    assert.match(read.fault, /^Invalid subscription at channel: a channel name has 1 to 164 /);
  });

  it("may name a user's own channel", () => {
    assert.ok(readValue({ channel: "#server-to-user-1" }, subscribeData, "subscription").ok);
  });
});

describe("The id of a user", () => {
  it("is the same text, whether it is sent as a number or as a text", () => {
    for (const user_id of [10, "10"]) {
      const read = readChannelData(JSON.stringify({ user_id }));
      assert.deepEqual(read, {
        ok: true,
        value: { id: "10", info: undefined, options: undefined },
      });
    }
  });

  it("has 1 to 128 characters, and is a whole number otherwise", () => {
    const isId = (user_id: unknown) => readChannelData(JSON.stringify({ user_id })).ok;
    assert.deepEqual(["x".repeat(128), 1].map(isId), [true, true]);
    assert.deepEqual(["", "x".repeat(129), 1.5, null, {}].map(isId), Array(5).fill(false));
  });

  it("signs in without a watchlist, too", () => {
    for (const more of [{}, { watchlist: null }]) {
      const read = readUserData(JSON.stringify({ id: 1, ...more }));
      assert.deepEqual(read, {
        ok: true,
        value: { id: "1", info: undefined, options: undefined, watchlist: [] },
      });
    }
  });
});

const pathOf = (path: unknown) => reportedPage.safeParse({ path }).data?.path;

describe("A reported page", () => {
  it("is a path without its query and fragment", () => {
    assert.equal(pathOf("/orders/7?token=secret#top"), "/orders/7");
    assert.equal(pathOf("/orders#a?b"), "/orders");
    assert.equal(pathOf("/?q"), "/");
  });

  it("is refused unless it is a path of printable characters", () => {
    const refused = [
      "",
      "orders",
      "https://example.com/",
      "?q=1",
      "/a\nb",
      "/a\u0000",
      "/\u202e",
      7,
      null,
    ];
    for (const path of [...refused, "/\ud800"]) assert.equal(pathOf(path), undefined, String(path));
  });

  it("is cut to its maximum length, in whole characters", () => {
    assert.equal(pathOf(`/${"🦊".repeat(300)}`), `/${"🦊".repeat(maxPathLength - 1)}`);
  });

  it("has a known kind of device, or none", () => {
    const deviceOf = (device: unknown) => reportedPage.safeParse({ path: "/", device }).data;
    assert.deepEqual(deviceOf("tablet"), { path: "/", device: "tablet" });
    assert.equal(deviceOf(null)?.device, undefined);
    assert.equal(deviceOf("toaster"), undefined);
  });

  it("never has a query, a control character or too many characters, whatever is sent", () => {
    const characters = [
      "/",
      "a",
      "?",
      "#",
      "\n",
      "\u007f",
      "\u2028",
      "\u202e",
      "é",
      "🦊",
      "\ud800",
    ];
    const sent = fc.array(fc.constantFrom("x".repeat(99), ...characters), { maxLength: 8 })
      .map((parts) => `/${parts.join("")}`);
    fc.assert(fc.property(sent, (path) => {
      const read = pathOf(path);
      if (read === undefined) return;
      assert.match(read, /^\/[^?#\p{Cc}\u2028-\u202e]*$/u);
      assert.ok(Array.from(read).length <= maxPathLength);
    }));
  });
});

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

describe("the options of a member", () => {
  it("is read beside user_info and inside of it, and leaves the rest of user_info as it is", () => {
    const beside = member({ user_id: 7, user_info: { color: "red" }, rollcall: full });
    const inside = member({ user_id: 7, user_info: { color: "red", rollcall: full } });
    const expected = { id: "7", info: { color: "red" }, options: full };
    assert.deepEqual([beside, inside], [expected, expected]);
  });

  it("keeps nothing of who is private, also after a change, unless that says otherwise", () => {
    const signed = { name: "Ann", detail: "x", private: true, quiet: true };
    const { id, info, options } = member({ user_id: 7, user_info: { n: 1 }, rollcall: signed });
    assert.deepEqual(options, { private: true, quiet: true });
    const joined = { id, info: JSON.stringify(info), options };
    const after = (rollcall: unknown) => {
      const { data } = memberUpdate.safeParse({ user_info: { n: 2 }, rollcall });
      return updatedMember(joined, { info: JSON.stringify(data?.info), options: data?.options });
    };
    for (const rollcall of [undefined, {}, { name: "Ann" }, { private: true, detail: "x" }]) {
      assert.deepEqual(after(rollcall).options, { private: true, quiet: true });
      assert.equal(after(rollcall).info, '{"n":2}');
    }
    const shown = after({ private: false, name: "Ann" });
    assert.deepEqual(shown.options, { name: "Ann", quiet: true });
    const hidden = updatedMember({ ...shown, options: { name: "Ann" } }, {
      options: { private: true },
    });
    assert.deepEqual(hidden.options, { private: true });
  });

  it("is read from user_data as well", () => {
    const read = readUserData(JSON.stringify({ id: "7", user_info: { rollcall: full } }));
    assert.deepEqual(read.ok && read.value, { id: "7", info: {}, options: full, watchlist: [] });
  });

  it("is the one beside user_info when there are two", () => {
    const two = { user_id: "7", user_info: { rollcall: { name: "B" } }, rollcall: { name: "A" } };
    assert.deepEqual(member(two), { id: "7", info: {}, options: { name: "A" } });
  });

  it("ignores unknown fields, null, and the empty list of PHP", () => {
    const some = { ...full, name: null, badge: "gold", url: undefined };
    assert.deepEqual(member({ user_id: "7", rollcall: some }).options, {
      detail: "Team Blue",
      quiet: true,
      observe: true,
    });
    for (const rollcall of [null, [], {}, { name: null }, { name: " \n " }]) {
      assert.deepEqual(member({ user_id: "7", user_info: { rollcall } }), {
        id: "7",
        info: {},
        options: undefined,
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
      const { name } = member({ user_id: "7", rollcall: { name: text } }).options ?? {};
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
