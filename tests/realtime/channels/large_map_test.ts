import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { LargeMap } from "@/realtime/channels/large_map.ts";

const keys = Array.from({ length: 30 }, (_, number) => `user-${number}`);

const steps = fc.array(
  fc.record({ key: fc.constantFrom(...keys), does: fc.constantFrom("set", "set", "delete") }),
  { maxLength: 200 },
);

describe("LargeMap", () => {
  it("has what a map has, whatever was set and deleted, with any size of its first part", () => {
    fc.assert(fc.property(steps, fc.integer({ min: 0, max: 40 }), (steps, most) => {
      const [large, plain] = [new LargeMap<number>(most), new Map<string, number>()];
      for (const [value, { key, does }] of steps.entries()) {
        if (does === "delete") assert.equal(large.delete(key), plain.delete(key));
        else {
          large.set(key, value);
          plain.set(key, value);
        }
        assert.equal(large.size, plain.size);
      }
      for (const key of keys) {
        assert.deepEqual([large.has(key), large.get(key)], [plain.has(key), plain.get(key)]);
      }
      assert.deepEqual([...large.entries()].toSorted(), [...plain].toSorted());
      assert.deepEqual([...large.keys()].toSorted(), [...plain.keys()].toSorted());
      assert.deepEqual([...large.values()].toSorted(), [...plain.values()].toSorted());
      if (most >= keys.length) assert.deepEqual([...large.entries()], [...plain]);
    }));
  });

  it("goes through each entry that stays once while others are set and deleted", () => {
    fc.assert(fc.property(steps, fc.integer({ min: 0, max: 20 }), (steps, most) => {
      const large = new LargeMap<string>(most);
      for (const key of keys) large.set(key, key);
      const changed = new Set(steps.map(({ key }) => key));
      const seen: string[] = [];
      for (const key of large.keys()) {
        seen.push(key);
        const step = steps.shift();
        if (step?.does === "delete") large.delete(step.key);
        else if (step) large.set(step.key, "changed");
      }
      const stay = keys.filter((key) => !changed.has(key));
      assert.deepEqual(seen.filter((key) => !changed.has(key)).toSorted(), stay.toSorted());
    }));
  });

  it("shares similar keys evenly among its parts", () => {
    // With all but one in the same part, that one would grow in large steps.
    const large = new LargeMap<number>(0);
    for (let number = 0; number < 1_600; number++) large.set(`user-${number}`, number);
    const order = [...large.values()];
    const rises = order.filter((value, index) => index === 0 || value < order[index - 1]).length;
    assert.equal(rises, 16);
  });
});
