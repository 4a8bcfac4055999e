import { startPostgres } from "@/tests/fixtures/postgres.ts";
import { openFileLimit, tableOf } from "../report.ts";
import { type Pair, type Result, resultsOf } from "../measurement.ts";
import { convergence } from "./convergence.ts";
import { costs } from "./costs.ts";
import { engines } from "./engines.ts";
import type { Part } from "./installation.ts";
import { workers } from "./workers.ts";

/**
 * `deno task bench:cluster [ROUNDS] [NAME]`: what several servers of the built app cost with Redis and
 * PostgreSQL, how soon one knows of another, and what workers deliver; NAME chooses parts by a part of
 * their names. Servers, Redis and databases are new in each round, and installations take turns. Other
 * work on the machine changes rates and latencies, and CPU time a little: compare the ratios.
 */
const parts: Part[] = [costs, convergence, workers, engines];

const rounds = Number(Deno.args[0] ?? "3");
const wanted = parts.filter(({ name }) => name.includes(Deno.args[1] ?? ""));
const openFiles = 8_000;
const limit = await openFileLimit();
if (limit < openFiles) {
  console.error(`Needs ${openFiles} open files, but the limit is ${limit}: ulimit -n ${openFiles}`);
  Deno.exit(1);
}

const postgres = await startPostgres();
const start = performance.now();
try {
  for (const part of wanted) console.log(`${tableOf(await measure(part))}\n`);
} finally {
  await postgres.stop();
}
const seconds = Math.round((performance.now() - start) / 1_000);
console.log(`${rounds} rounds in ${seconds} s; medians; lower is better but for rates (/s).`);
Deno.exit(wanted.length > 0 ? 0 : 1);

async function measure({ name, comparisons, round }: Part): Promise<Result[]> {
  const pairs: Pair[][][] = [];
  for (let count = 1; count <= rounds; count++) {
    const [load] = Deno.loadavg();
    console.error(`${name}, round ${count}; load ${load.toFixed(1)} …`);
    pairs.push(await round(postgres));
  }
  return comparisons.flatMap((comparison, index) =>
    resultsOf(comparison, pairs.map((ofRound) => ofRound[index]))
  );
}
