import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { waitMs } from "@/components/site/site_visit.ts";

describe("the wait of a site tag before it connects again", () => {
  it("differs between pages that lost their connections together, by most of its length", () => {
    for (let failures = 0; failures < 20; failures++) {
      const [shortest, longest] = [waitMs(failures, 0), waitMs(failures, 1)];
      assert.ok(shortest >= 400 && longest >= 5 * shortest * 0.999, `${failures}`);
    }
    assert.ok(waitMs(0, 1) <= 2_000, "a restart is over soon");
  });

  it("doubles with each failure, up to two minutes", () => {
    assert.equal(waitMs(3, 1), 2 * waitMs(2, 1));
    for (const failures of [6, 20, 2_000]) assert.equal(waitMs(failures, 1), 120_000);
  });
});
