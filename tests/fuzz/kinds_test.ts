import { describe, it } from "@std/testing/bdd";
import { kinds, newSeed, shareOf } from "./kinds.ts";

/** Of all kinds together; `deno task fuzz` takes more. */
const cases = 1_000;
const seed = newSeed();

describe(`a fuzzed server (seed ${seed})`, () => {
  for (const kind of kinds) {
    it(`withstands ${kind.name} and keeps nothing of them`, async () => {
      await kind.check({ numRuns: shareOf(kind, cases), seed });
    });
  }
});
