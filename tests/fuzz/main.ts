import { kinds, newSeed, shareOf } from "./kinds.ts";

/**
 * `deno task fuzz [CASES] [SEED]`: sends servers strange frames, calls and bytes. Prints the seed,
 * which repeats the same cases; ends with 1 when a case harms a server.
 */
const [cases, seed] = [Number(Deno.args[0] ?? 20_000), Number(Deno.args[1] ?? newSeed())];
if (!Number.isInteger(cases) || cases < 1 || !Number.isInteger(seed)) {
  console.error("deno task fuzz [CASES] [SEED]: both are whole numbers, and CASES is at least 1");
  Deno.exit(2);
}

console.log(`${cases} cases, seed ${seed}`);
let failed = false;
for (const kind of kinds) {
  const [numRuns, start] = [shareOf(kind, cases), performance.now()];
  const error = await kind.check({ numRuns, seed }).catch((error: Error) => error);
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  console.log(`${kind.name}: ${numRuns} cases ${error ? "failed" : "passed"} in ${seconds} s`);
  if (error) console.error(error);
  failed ||= error !== undefined;
}
Deno.exit(failed ? 1 : 0);
