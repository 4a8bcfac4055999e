import { fileURLToPath } from "node:url";
import { ofOneServer } from "@/tests/installations/installation.ts";
import { startSharedPostgres } from "@/tests/fixtures/postgres.ts";
import { bundleProgram } from "@/tests/fixtures/program.ts";
import { startSharedRedis } from "@/tests/fixtures/redis.ts";
import { batchesOf } from "./batches.ts";
import { testConfiguration } from "./configuration.ts";
import { DenoRuns } from "./deno_runs.ts";
import { testFiles } from "./import_graph.ts";
import { summaryOf, withSecondRuns } from "./outcomes.ts";

/** The forms in which Rollcall is installed, by the modules that install it. */
const installations = ["two_servers", "workers", "local_workers"];

/**
 * Runs page tests of the built app on each installation of several servers. The words are paths of tests
 * and names of installations; without them, all. `--times=N` repeats the run, `--jobs=N` is how many
 * processes run tests at a time.
 */
async function main(words: string[]): Promise<number> {
  const number = (flag: string, otherwise: number) =>
    Number(words.find((word) => word.startsWith(`--${flag}=`))?.split("=")[1] ?? otherwise);
  const chosen = installations.filter((name) => words.includes(name));
  const paths = words.filter((word) => word.startsWith("tests/"));
  const files = (paths.length > 0 ? paths : ["tests/e2e/chromium"])
    .flatMap((path) => testFiles(root, path)).filter((file) => !(file in ofOneServer));
  const lists = (chosen.length > 0 ? chosen : installations).flatMap((name) =>
    batchesOf(files).map((batch) => argumentsOf([`tests/installations/${name}.ts`, ...batch]))
  );
  await using postgres = await startSharedPostgres();
  await using redis = await startSharedRedis();
  await using bundle = await bundleProgram();
  const environment = { ...postgres.environment, ...redis.environment, ...bundle.environment };
  const deno = new DenoRuns();
  const times = Array.from({ length: number("times", 1) }, () => lists).flat();
  const first = await deno.runEach(times, number("jobs", 3), environment);
  // A repeated run asks how often tests fail.
  const outcomes = number("times", 1) > 1 ? first : await withSecondRuns(first, async (args) => {
    const [outcome] = await deno.runEach([args], 1, environment);
    return outcome;
  });
  console.log(summaryOf(outcomes.map(({ output }) => output)));
  return outcomes.every(({ success }) => success) ? 0 : 1;
}

function argumentsOf(files: string[]): string[] {
  const together = ["tools/test/together.ts", "--", ...files];
  return [
    "test",
    testConfiguration,
    "--preload=tools/test/preload.ts",
    "-A",
    "--no-check",
    ...together,
  ];
}

const root = fileURLToPath(new URL("../../", import.meta.url));
Deno.chdir(root);
Deno.exit(await main(Deno.args));
