import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { holdBackMs } from "@/components/page/timing.ts";

it("a value is held back for the rest of the interval since the last change", () => {
  assert.equal(holdBackMs(null, 1_000, 5_000), 0);
  assert.equal(holdBackMs(1_000, 2_000, 5_000), 4_000);
  assert.equal(holdBackMs(1_000, 60_000, 5_000), 0);
});
