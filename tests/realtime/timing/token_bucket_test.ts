import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { AddressBudget, TokenBucket } from "@/realtime/timing/budget.ts";

const budget = { burst: 10, perSecond: 2 };
const spendings = fc.array(
  fc.record({ afterMs: fc.nat(3_000), cost: fc.integer({ min: 1, max: 5 }) }),
);

describe("TokenBucket", () => {
  it("allows no more than the burst, what was added since, and the last cost", () => {
    fc.assert(fc.property(spendings, (all) => {
      const bucket = new TokenBucket();
      let [now, spent] = [1e6, 0];
      for (const { afterMs, cost } of all) {
        now += afterMs;
        if (bucket.take(now, budget, cost)) spent += cost;
        assert.ok(spent <= budget.burst + (now - 1e6) / 1_000 * budget.perSecond + 5);
      }
    }));
  });

  it("is full at first and after a time without spending", () => {
    const bucket = new TokenBucket();
    for (let n = 0; n < 10; n++) assert.ok(bucket.take(0, budget));
    assert.equal(bucket.take(0, budget), false);
    assert.equal(bucket.isFull(4_999, budget), false);
    assert.ok(bucket.isFull(5_000, budget));
    for (let n = 0; n < 10; n++) assert.ok(bucket.take(60_000, budget));
    assert.equal(bucket.take(60_000, budget), false);
  });
});

describe("AddressBudget", () => {
  it("has a budget for each address", () => {
    const budgets = new AddressBudget(budget);
    assert.ok(budgets.take("192.0.2.1", 0, 10));
    assert.equal(budgets.take("192.0.2.1", 0, 1), false);
    assert.ok(budgets.take("192.0.2.2", 0, 1));
  });

  it("forgets addresses whose budget is full again, and no other", () => {
    const budgets = new AddressBudget(budget);
    budgets.take("spent", 0, 1_000);
    for (let n = 0; n < 5_000; n++) budgets.take(String(n), n * 10, 1);
    assert.ok(budgets.size <= 1_000);
    assert.equal(budgets.take("spent", 50_000, 1), false);
  });
});
