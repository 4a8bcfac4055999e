import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { isSocketId, newSocketId, serverNumberOf } from "@/realtime/protocol/socket_id.ts";

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
