import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { AddressQuota } from "@/realtime/connections/connection_limits.ts";

describe("The quota of addresses", () => {
  it("is full for an address at its limit, and for all at the limit of all", () => {
    const quota = new AddressQuota({ max: 3, maxPerAddress: 2 });
    for (const address of ["a", "a"]) quota.add(address);
    assert.deepEqual([quota.isFullFor("a"), quota.isFullFor("b"), quota.isFull], [
      true,
      false,
      false,
    ]);
    quota.add("b");
    assert.deepEqual([quota.isFullFor("c"), quota.isFull, quota.addresses], [true, true, 2]);
    for (const address of ["a", "a", "b"]) quota.delete(address);
    assert.deepEqual([quota.isFullFor("a"), quota.size, quota.addresses], [false, 0, 0]);
  });

  it("has no limit for an address that is not known, or when the limit is 0", () => {
    const [quota, unlimited] = [1, 0].map((maxPerAddress) =>
      new AddressQuota({ max: 10, maxPerAddress })
    );
    for (let count = 0; count < 5; count++) {
      quota.add(undefined);
      unlimited.add("a");
    }
    assert.deepEqual([quota.isFullFor(undefined), unlimited.isFullFor("a")], [false, false]);
  });
});
