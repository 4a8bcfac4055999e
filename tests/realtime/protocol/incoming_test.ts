import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  readChannelData,
  readFrame,
  readUserData,
  readValue,
  subscribeData,
} from "@/realtime/protocol/incoming.ts";

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
        value: { id: "10", info: undefined, profile: undefined },
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
        value: { id: "1", info: undefined, profile: undefined, watchlist: [] },
      });
    }
  });
});
