import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { drawn, faultKinds, kindsWith, workerFaultKinds } from "./faults/drawing.ts";
import { Random } from "@/server/demo/random.ts";

describe("the faults of the fault test", () => {
  it("are drawn in the same order for the same seed, each once before one comes again", () => {
    const names = (seed: number) => {
      const kinds = drawn(faultKinds, new Random(seed));
      return Array.from({ length: 2 * faultKinds.length }, () => String(kinds.next().value?.name));
    };
    assert.deepEqual(names(7), names(7));
    assert.notDeepEqual(names(7), names(8));
    assert.equal(new Set(names(7).slice(0, faultKinds.length)).size, faultKinds.length);
  });

  it("are for workers what needs no Redis, PostgreSQL or clock of a server, and what befalls a coordinator", () => {
    const names = workerFaultKinds.map(({ name }) => name);
    assert.deepEqual(names.filter((name) => /Redis|PostgreSQL|clock/.test(name)), []);
    for (const name of ["server killed", "server frozen", "coordinator killed"]) {
      assert.ok(names.includes(name), name);
    }
    assert.ok(names.includes("coordinator connection cut"));
  });

  it("are chosen by words", () => {
    assert.deepEqual(kindsWith(["nothing of this name"]), []);
    assert.ok(kindsWith(["SERVER killed"]).length === 1);
    assert.ok(kindsWith(["rolling", "postgresql"]).length > 2);
    assert.equal(kindsWith([]).length, faultKinds.length);
  });
});

describe("the random numbers of the fault test", () => {
  it("stay within their bounds", () => {
    const random = new Random(1);
    for (let count = 0; count < 1_000; count++) {
      const whole = random.whole(-2, 2);
      assert.ok(whole >= -2 && whole <= 2 && Number.isInteger(whole));
      const between = random.between(3, 4);
      assert.ok(between >= 3 && between < 4);
    }
  });
});
