import { fileURLToPath } from "node:url";
import { buildPusherJs } from "@/deploy/build/pusher_js.ts";
import { batchesOf } from "./batches.ts";
import { installedFlag, isBelow, leftOutFolders, testConfiguration } from "./configuration.ts";
import { DenoRuns, type Outcome } from "./deno_runs.ts";
import { ImportGraph, testFiles } from "./import_graph.ts";
import { furtherLane, isLong, isOfLongRun, type Lane, unitLane } from "./lanes.ts";
import { type Need, needsOf } from "./needs.ts";
import { installPrograms } from "./programs.ts";
import { summaryOf, withSecondRuns } from "./outcomes.ts";

/** The arguments with which Deno tries mutations. */
const mutate = ["run", testConfiguration, "-A", "tools/mutate/main.ts"];

/** The arguments with which Deno runs page tests on several servers. */
const installations = ["run", testConfiguration, "-A", "tools/test/installations.ts"];

/** The page tests that the long run tries on several servers; `installations.ts` tries all. */
const shownOnInstallations = [
  "tests/e2e/chromium/late_pages_test.ts",
  "tests/e2e/chromium/counting_test.ts",
  "tests/e2e/chromium/online_table_test.ts",
  "tests/e2e/chromium/history_test.ts",
];

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * The test command. Without arguments it installs, builds, checks and runs all but the long tests; with
 * `--long`, these, and mutations; with paths, it runs the tests there and what they need; with `--unit`,
 * the tests that need nothing. Other flags go to `deno test`.
 */
async function main(args: string[]): Promise<number> {
  const deno = new DenoRuns();
  try {
    const paths = args.filter((arg) => !arg.startsWith("-"));
    const flags = args.filter((arg) => arg.startsWith("-") && arg !== "--unit");
    // Pages import it.
    await buildPusherJs();
    const graph = new ImportGraph(root);
    const needs = needsByFile(paths.length > 0 ? paths : ["tests"], graph);
    if (args.includes("--unit")) return await runUnit(deno, needs, flags);
    const those = (are: (file: string) => boolean) =>
      new Map([...needs].filter(([file]) => are(file)));
    const long = those((file) => isOfLongRun(file, graph));
    if (args.includes("--long")) return await runLong(deno, long);
    if (args.length > 0) return await runSome(deno, needs, flags);
    return await runAll(deno, those((file) => !isLong(file)));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}

/** What each test file at and below the paths needs. */
function needsByFile(paths: string[], graph: ImportGraph): Map<string, Need[]> {
  const leftOut = leftOutFolders(root);
  if (leftOut.length > 0) {
    console.log(`Left out, as deno.dev.json links no shims: ${leftOut.join(", ")}`);
  }
  const files = paths.flatMap((path) => testFiles(root, path))
    .filter((file) => !isBelow(leftOut, file));
  if (files.length === 0) throw new Error(`There are no tests in ${paths.join(" and ")}.`);
  return new Map(files.map((file) => [file, needsOf(file, graph)]));
}

/** Says to tests that the long run has a part of them: `tests/fixtures/long_run.ts`. */
const shortRun = { ROLLCALL_TEST_SHORT_RUN: "1" };

/** How long the parts of a run took. */
class Times {
  readonly #parts: [part: string, durationMs: number][] = [];

  async of<Result>(part: string, work: Promise<Result>): Promise<Result> {
    const start = performance.now();
    const result = await work;
    this.#parts.push([part, performance.now() - start]);
    return result;
  }

  print(): void {
    console.log();
    for (const [part, ms] of this.#parts) {
      console.log(`${part.padEnd(24)}${seconds(ms).padStart(6)}`);
    }
  }
}

/** All that a change can break, in minutes: everything but what {@link runLong} does. */
async function runAll(deno: DenoRuns, needs: Map<string, Need[]>): Promise<number> {
  const times = new Times();
  await times.of("programs", install(deno, needs));
  // First, as the check would take the routes of an old build for missing modules.
  const build = await times.of("build", deno.run(["task", "build"]));
  if (!build.success) return summarized(failed);
  const checking = times.of("check", deno.run(["task", "check"]));
  const lane = unitLane(needs);
  const unitArguments = togetherArguments(lane.flags, lane.files);
  const unit = times.of("unit tests", deno.run(unitArguments, shortRun));
  // Meanwhile, as the check keeps one core busy for half a minute.
  const further = times.of("tests with servers", runFurther(deno, furtherLane(needs), shortRun));
  const check = await checking;
  if (!check.success) await deno.endAll();
  const runs = [await unit, ...await further];
  times.print();
  return check.success ? sum(runs) : sum([failed, ...runs]);
}

/** What takes longer, and what finds what a change seldom breaks. */
async function runLong(deno: DenoRuns, needs: Map<string, Need[]>): Promise<number> {
  const times = new Times();
  await times.of("programs", install(deno, needs));
  const build = await times.of("build", deno.run(["task", "build"]));
  if (!build.success) return summarized(failed);
  const lane: Lane = { name: "long tests", files: [...needs.keys()], flags: ["-A"] };
  const runs = await times.of("long tests", runFurther(deno, lane));
  runs.push(
    await times.of("installations", deno.run([...installations, ...shownOnInstallations])),
  );
  const stories = await times.of("stories", deno.run([...mutate, "--tested"]));
  times.print();
  return sum([...runs, asTest(stories)]);
}

/** A run that is no run of tests, as one test. */
function asTest(outcome: Outcome): Outcome {
  const output = outcome.success ? "1 passed, 0 failed, 0 skipped" : failed.output;
  return { ...outcome, output };
}

function sum(runs: readonly Outcome[]): number {
  const success = runs.every((run) => run.success);
  return summarized({ success, output: summaryOf(runs.map(({ output }) => output)) });
}

/** Stands for tests that did not run, because what they are of is wrong. */
const failed: Outcome = {
  args: [],
  success: false,
  output: "0 passed, 1 failed, 0 skipped",
  durationMs: 0,
};

/** Four to a core: tests of servers and pages wait for half of their time or more. */
const jobsAtATime = 4 * navigator.hardwareConcurrency;

/**
 * Runs the tests of servers, which share one of PostgreSQL, one of Redis and a bundle of the program.
 *
 * @param ofRun variables of their processes beyond those of what they share.
 */
async function runFurther(
  deno: DenoRuns,
  { files, flags }: Lane,
  ofRun: Record<string, string> = {},
): Promise<Outcome[]> {
  // What they import is installed by then.
  const { startSharedPostgres } = await import("@/tests/fixtures/postgres.ts");
  const { startSharedRedis } = await import("@/tests/fixtures/redis.ts");
  const { bundleProgram } = await import("@/tests/fixtures/program.ts");
  await using postgres = await startSharedPostgres();
  await using redis = await startSharedRedis();
  await using bundle = await bundleProgram();
  const environment = {
    ...ofRun,
    ...postgres.environment,
    ...redis.environment,
    ...bundle.environment,
  };
  const lists = batchesOf(files).map((batch) => togetherArguments(flags, batch));
  const outcomes = await deno.runEach(lists, jobsAtATime, environment);
  return await withSecondRuns(outcomes, async (args) => {
    const [outcome] = await deno.runEach([args], 1, environment);
    return outcome;
  });
}

/** Runs tests with what they need and nothing else. */
async function runSome(
  deno: DenoRuns,
  needs: Map<string, Need[]>,
  flags: string[],
): Promise<number> {
  await install(deno, needs);
  const isBuilt = [...needs.values()].flat().some(({ built }) => built);
  if (isBuilt && !(await deno.run(["task", "build"])).success) return 1;
  const args = testArguments(["-A", ...flags], [...needs.keys()]);
  return summarized(await deno.run(args));
}

async function runUnit(
  deno: DenoRuns,
  needs: Map<string, Need[]>,
  flags: string[],
): Promise<number> {
  await install(deno, new Map());
  const lane = unitLane(needs);
  if (lane.files.length === 0) {
    const [[file, [need]]] = needs;
    throw new Error(`There are no unit tests: ${file} needs ${need.name}.`);
  }
  return summarized(await deno.run(togetherArguments([...lane.flags, ...flags], lane.files)));
}

function summarized({ success, output }: Pick<Outcome, "success" | "output">): number {
  console.log(summaryOf([output]));
  return success ? 0 : 1;
}

function testArguments(flags: string[], files: string[]): string[] {
  const common = [testConfiguration, installedFlag, "--preload=tools/test/preload.ts"];
  return ["test", ...common, ...flags, ...files];
}

/** For files that run in one isolate. */
function togetherArguments(flags: string[], files: string[]): string[] {
  const together = ["tools/test/together.ts", "--", ...files];
  return testArguments([...flags, "--no-check"], together);
}

/** Installs the packages of tests, and the programs that some need. */
async function install(deno: DenoRuns, needs: Map<string, Need[]>): Promise<void> {
  // Before several processes would do so at a time.
  const { success } = await deno.run(["install", "--quiet", testConfiguration]);
  if (!success) throw new Error("The packages of the tests could not be installed.");
  const all = new Set([...needs.values()].flat());
  await installPrograms([...all].flatMap(({ program }) => program ?? []));
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}

Deno.chdir(root);
Deno.exit(await main(Deno.args));
