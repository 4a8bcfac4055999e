import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  orderByNumber,
  placeOf,
  sortedInSteps,
  updatedOrder,
} from "@/server/live_view/sorted_people.ts";

const compare = (a: number, b: number) => a - b;
const numbers = fc.uniqueArray(fc.nat(500), { maxLength: 200 });

describe("an order", () => {
  it("has what is added, at its place, and nothing that is removed", () => {
    fc.assert(fc.property(numbers, fc.func(fc.nat(2)), (drawn, fate) => {
      const [kept, removed, added] = [0, 1, 2].map((which) =>
        drawn.filter((one) => fate(one) === which)
      );
      const before = [...kept, ...removed].sort(compare);
      const copy = [...before];
      const after = updatedOrder(before, removed, added, compare);
      assert.deepEqual(after, [...kept, ...added].sort(compare));
      assert.deepEqual(before, copy, "the order before stays as it was");
    }));
  });

  it("has an item at its place, and tells where one would be that it has not", () => {
    fc.assert(fc.property(numbers, fc.nat(500), (drawn, item) => {
      const order = drawn.toSorted(compare);
      assert.equal(placeOf(order, item, compare), order.filter((one) => one < item).length);
    }));
  });
});

it("sorting by numbers leaves equals in their order, in either direction", async () => {
  const drawn = fc.array(fc.oneof(fc.integer(), fc.constantFrom(0, 1.5, Infinity, 1.79e12)));
  await fc.assert(fc.asyncProperty(drawn, fc.boolean(), async (numbers, isDescending) => {
    const order = await orderByNumber(Float64Array.from(numbers), isDescending, async () => {});
    const by = (a: number, b: number) => a === b ? 0 : (a < b) === isDescending ? 1 : -1;
    const indexes = numbers.map((_, index) => index);
    assert.deepEqual([...order], indexes.sort((a, b) => by(numbers[a], numbers[b])));
  }));
});

it("sorting in steps gives the same order as sorting at once, with pauses in between", async () => {
  for (const size of [0, 1, 2_000, 2_001, 25_000]) {
    const items = Array.from({ length: size }, (_, index) => (index * 7_919) % 25_013);
    let pauses = 0;
    const pause = () => Promise.resolve(void pauses++);
    assert.deepEqual(await sortedInSteps(items, compare, pause), items.toSorted(compare));
    assert.ok(pauses >= size / 8_000, `${pauses} pauses for ${size}`);
  }
});
