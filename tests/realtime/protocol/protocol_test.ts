import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  channelKind,
  isCacheChannel,
  isChannelName,
  isEncryptedChannel,
  isOpenToAll,
  isUserChannelName,
} from "@/realtime/protocol/channel_names.ts";
import { isSocketId, newSocketId, serverNumberOf } from "@/realtime/protocol/socket_id.ts";
import { givesUpWhenClosed } from "@/realtime/admission.ts";
import { type Close, closeCodes, closes } from "@/realtime/protocol/close_codes.ts";
import { byteLength } from "@/realtime/protocol/outgoing.ts";
import { hmacSha256, isSameText } from "@/realtime/protocol/signature.ts";

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

describe("a new socket id", () => {
  it("has two random halves of 32 bits, where there is one server", () => {
    const ids = Array.from({ length: 1_000 }, () => newSocketId(() => false));
    for (const half of [0, 1]) {
      const numbers = ids.map((id) => Number(id.split(".")[half]));
      assert.ok(numbers.every((number) => Number.isInteger(number) && number < 2 ** 32));
      assert.ok(numbers.some((number) => number >= 2 ** 31), "the highest bit is random");
      assert.ok(new Set(numbers).size > 990);
    }
  });

  it("carries the number of its server among others, and has 64 random bits besides", () => {
    for (const number of [1, 7, 2 ** 32 - 1]) {
      const ids = Array.from({ length: 1_000 }, () => newSocketId(() => false, number));
      assert.ok(ids.every((id) => isSocketId(id) && serverNumberOf(id) === number));
      for (const half of [0, 1]) {
        const parts = ids.map((id) => BigInt(id.split(".")[half]) % 2n ** 32n);
        assert.ok(new Set(parts).size > 990);
        for (const bit of [0n, 31n]) {
          const set = parts.filter((part) => (part >> bit & 1n) === 1n).length;
          assert.ok(set > 350 && set < 650, `bit ${bit} is random`);
        }
      }
    }
  });

  it("carries no number without one", () => {
    for (const id of ["1.2", newSocketId(() => false)]) assert.equal(serverNumberOf(id), 0);
  });

  it("is none that is in use", () => {
    const taken: string[] = [];
    const id = newSocketId((one) => taken.push(one) < 3, 7);
    assert.deepEqual([taken.length, taken.at(-1)], [3, id]);
  });
});

const queries: [query: string, givesUp: boolean][] = [
  ["client=js&version=4.4.0", true],
  ["client=js&version=7.6.0", true],
  ["client=js&version=8.1.0", true],
  ["client=js&version=8.2.0", false],
  ["client=js&version=8.10.0", false],
  ["client=js&version=10.0.0", false],
  ["client=js&version=unknown", false],
  ["client=js", false],
  ["client=pusher-websocket-swift&version=1.0.0", false],
  ["", false],
];

describe("givesUpWhenClosed", () => {
  for (const [query, givesUp] of queries) {
    it(`is ${givesUp} for ?${query}`, () => {
      assert.equal(givesUpWhenClosed(new URLSearchParams(query)), givesUp);
    });
  }
});

/** Every close; a function's is with its longest argument. */
const all: [name: string, close: Close][] = [
  ...Object.entries(closes)
    .flatMap(([name, close]): [string, Close][] =>
      typeof close === "function" ? [] : [[name, close]]
    ),
  ["noSuchApp", closes.noSuchApp("k".repeat(1_000))],
  ["appFull", closes.appFull(1_000_000)],
  ["addressFull", closes.addressFull(1_000_000)],
  ["blocked", closes.blocked("You were blocked by an admin.")],
];

describe("The list of closes", () => {
  it("has a known code and a reason for each, short enough for a close frame", () => {
    assert.equal(all.length, Object.keys(closes).length);
    for (const [name, { code, reason }] of all) {
      assert.ok(Object.values<number>(closeCodes).includes(code), name);
      assert.ok(reason.length > 0 && byteLength(reason) <= 123, name);
    }
  });

  it("lets clients return after closes that pass, and stops them after closes that do not", () => {
    const returning = all.filter(([, { code }]) => code >= 4100).map(([name]) => name);
    assert.deepEqual(returning.sort(), [
      "addressFull",
      "sendBufferFull",
      "sendBufferStalled",
      "sendingAway",
      "sentAway",
      "serverFailed",
      "serverFull",
      "serverStopped",
      "serverStopping",
      "signAgain",
    ]);
    const isAtOnce = ({ code }: Close) => code >= 4200;
    assert.ok(isAtOnce(closes.serverStopped), "the next server may be there");
    assert.ok(isAtOnce(closes.sentAway), "another server is there");
    assert.ok(!isAtOnce(closes.serverStopping) && !isAtOnce(closes.serverFull));
    assert.ok(!isAtOnce(closes.sendingAway), "the balancer may not know it yet");
  });
});

/** Few characters, so that texts are often the same or differ in one place. */
const text = fc.string({ unit: fc.constantFrom("a", "b", "ü", "\ud83d", "\ude00"), maxLength: 4 });

describe("isSameText", () => {
  it("is true of the same texts, and of no others", () => {
    fc.assert(fc.property(text, text, (one, other) => {
      assert.equal(isSameText(one, one), true);
      assert.equal(isSameText(one, other), one === other);
    }));
  });

  it("is false where a signature differs in any one place", () => {
    const signature = "0123456789abcdef".repeat(4);
    for (let index = 0; index < signature.length; index++) {
      const changed = `${signature.slice(0, index)}x${signature.slice(index + 1)}`;
      assert.equal(isSameText(changed, signature), false, `at ${index}`);
      assert.equal(isSameText(signature.slice(0, index), signature), false, `cut at ${index}`);
    }
  });
});

const key = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.integer({ min: 0, max: 130 }).map((length) => "k".repeat(length)),
);
const anyText = fc.string({ unit: "binary", maxLength: 300 });

describe("hmacSha256", () => {
  it("is the HMAC of node:crypto for any key and text, whichever keys were used before", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, anyText), { minLength: 1, maxLength: 5 }), (pairs) => {
        for (const [key, anyText] of [...pairs, ...pairs]) {
          const expected = createHmac("sha256", key).update(anyText).digest("hex");
          assert.equal(hmacSha256(key, anyText), expected);
        }
      }),
      { numRuns: 500 },
    );
  });
});
