import { newSeed, shareOf } from "../../tools/fuzz/cases.ts";
import { kinds } from "../../tools/fuzz/kinds.ts";

/** Of all kinds together; `deno task fuzz` takes more. */
const cases = 2_000;
const seed = newSeed();

for (const kind of kinds) {
  Deno.test(`${kind.name} harm no server and leave nothing behind (seed ${seed})`, async () => {
    await kind.check({ numRuns: shareOf(kind, cases), seed });
  });
}
