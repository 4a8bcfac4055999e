import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { parseRedisAddress, textOfServer } from "@/realtime/cluster/redis/redis_address.ts";

describe("the address of Redis", () => {
  it("is a host, on port 6379 and in database 0 unless it has others", () => {
    assert.deepEqual(parseRedisAddress("redis://cache.example"), {
      servers: [{ host: "cache.example", port: 6379 }],
      isTls: false,
      database: 0,
    });
    const { servers, database } = parseRedisAddress("redis://127.0.0.1:7000/12");
    assert.deepEqual({ servers, database }, {
      servers: [{ host: "127.0.0.1", port: 7000 }],
      database: 12,
    });
  });

  it("has a user and a password, decoded", () => {
    const { user, password } = parseRedisAddress("redis://app:p%40ss%2C%2F@h");
    assert.deepEqual({ user, password }, { user: "app", password: "p@ss,/" });
    const alone = parseRedisAddress("redis://:secret@h");
    assert.equal(alone.user, undefined);
    assert.equal(alone.password, "secret");
  });

  it("is for TLS with rediss", () => {
    assert.equal(parseRedisAddress("rediss://h").isTls, true);
  });

  it("takes an address of IPv6", () => {
    const { servers: [server] } = parseRedisAddress("redis://[::1]:7000");
    assert.deepEqual(server, { host: "::1", port: 7000 });
    assert.equal(textOfServer(server), "[::1]:7000");
    assert.equal(textOfServer({ host: "h", port: 1 }), "h:1");
  });

  it("is a list of sentinels, whose master is mymaster unless named", () => {
    assert.deepEqual(parseRedisAddress("redis://:secret@one/2, redis://two:5000"), {
      servers: [{ host: "one", port: 26_379 }, { host: "two", port: 5000 }],
      isTls: false,
      password: "secret",
      database: 2,
      masterName: "mymaster",
    });
    assert.equal(parseRedisAddress("redis://one,redis://two?name=other").masterName, "other");
  });

  it("is one sentinel, where it names a master", () => {
    const { servers, masterName } = parseRedisAddress("redis://one?name=main");
    assert.deepEqual({ servers, masterName }, {
      servers: [{ host: "one", port: 26_379 }],
      masterName: "main",
    });
  });

  const refused: [text: string, reason: RegExp][] = [
    ["", /^not an address of Redis; expected redis:/],
    ["localhost:6379", /^not an address of Redis/],
    ["http://:secret@localhost", /^not an address of Redis/],
    ["redis://:secret@", /^not an address of Redis/],
    ["redis://:secret@h:port", /^not an address of Redis/],
    ["redis://:secret@h/main", /^the path is not a number/],
    ["redis://:secret%@h", /expected %25 for %$/],
    [
      "redis://:secret@a,redis://:secret2@b",
      /^addresses that differ in the password; expected one$/,
    ],
    ["redis://:secret@a/1,redis://b/2", /^addresses that differ in the database/],
    ["redis://:secret@a,rediss://b", /^addresses that differ in the protocol/],
    ["redis://:secret@a?name=x,redis://b?name=y", /^addresses that differ in the master's name/],
  ];
  for (const [text, reason] of refused) {
    it(`refuses "${text}" in one line, without the password`, () => {
      assert.throws(() => parseRedisAddress(text), (error: Error) => {
        assert.match(error.message, reason);
        assert.doesNotMatch(error.message, /secret|\n/);
        return true;
      });
    });
  }
});
