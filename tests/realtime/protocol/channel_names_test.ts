import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  channelKind,
  isCacheChannel,
  isChannelName,
  isEncryptedChannel,
  isOpenToAll,
  isUserChannelName,
} from "@/realtime/protocol/channel_names.ts";

describe("A channel name", () => {
  for (
    const [name, kind, isOpen] of [
      ["news", "public", true],
      ["presence", "public", true],
      ["private", "public", true],
      ["private-news", "private", false],
      ["private-encrypted-news", "private", false],
      ["presence-room", "presence", false],
      ["presence-cache-room", "presence", false],
      ["#server-to-user-1", "public", false],
    ] as const
  ) {
    it(`${name} is ${kind}, and ${isOpen ? "open to all" : "needs an authorization"}`, () => {
      assert.equal(channelKind(name), kind);
      assert.equal(isOpenToAll(name), isOpen);
    });
  }

  it("has 1 to 164 of Pusher's characters", () => {
    for (const name of ["a", "A-z_0=@,.;", "x".repeat(164)]) assert.ok(isChannelName(name), name);
    for (const name of ["", "a b", "a/b", "#a", "é", "a\n", "x".repeat(165)]) {
      assert.equal(isChannelName(name), false, name);
    }
  });

  it("is a user's with an id of 1 to 128 characters after its prefix", () => {
    assert.ok(isUserChannelName("#server-to-user-1"));
    assert.ok(isUserChannelName(`#server-to-user-${"x".repeat(128)}`));
    assert.equal(isUserChannelName("#server-to-user-"), false);
    assert.equal(isUserChannelName(`#server-to-user-${"x".repeat(129)}`), false);
    assert.equal(isUserChannelName("x#server-to-user-1"), false);
  });

  it("says by its prefix that events are encrypted, and that the last one is kept", () => {
    assert.ok(isEncryptedChannel("private-encrypted-a"));
    assert.equal(isEncryptedChannel("private-a-encrypted-"), false);
    for (const prefix of ["", "private-", "presence-", "private-encrypted-"]) {
      assert.ok(isCacheChannel(`${prefix}cache-a`), prefix);
    }
    assert.equal(isCacheChannel("a-cache-b"), false);
  });
});
