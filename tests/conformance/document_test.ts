import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Suite } from "./suite.ts";
import { suites } from "./suites.ts";
import { Outcomes } from "./proved_rules.ts";

const source = { title: "somewhere", url: "https://example.com" };
const proof = () => Promise.resolve();

describe("The conformance suite", () => {
  it("has every suite in its list, each with its own name", async () => {
    const files = Deno.readDirSync(new URL("suites/", import.meta.url));
    const exported = await Promise.all(
      [...files].map(({ name }) => import(new URL(`suites/${name}`, import.meta.url).href)),
    );
    const there = exported.flatMap((module) => Object.values(module));
    assert.deepEqual(new Set(suites), new Set(there));
    assert.equal(new Set(suites.map(({ name }) => name)).size, suites.length);
  });

  it("refuses a rule whose id belongs to another suite or another rule", () => {
    const suite = new Suite("way", "Ways");
    suite.rule("way.one", "One.", source, proof);
    assert.throws(() => suite.rule("way.one", "Again.", source, proof), /way\.one/);
    assert.throws(() => suite.deviation("way.one", "Again.", source), /way\.one/);
    for (const id of ["one", "other.one", "way.One", "way."]) {
      assert.throws(() => suite.rule(id, "Elsewhere.", source, proof), /does not belong/);
    }
  });

  it("counts in its table what passed, what failed and what was not run", () => {
    const suite = new Suite("way", "Ways");
    for (const name of ["passes", "fails", "waits"]) {
      suite.rule(`way.${name}`, `It ${name}.`, source, proof);
    }
    const outcomes = new Outcomes();
    outcomes.began("way.passes");
    outcomes.passed("way.passes");
    outcomes.began("way.fails");
    assert.equal(
      outcomes.table("The Pusher protocol", [suite]),
      `Ways: 1 passed, 1 failed of 3
  passed  way.passes  It passes.
  FAILED  way.fails   It fails.
  not run way.waits   It waits.

The Pusher protocol: 1 passed, 1 failed of 3`,
    );
  });
});
