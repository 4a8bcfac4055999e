import { fileURLToPath } from "node:url";
import { buildPusherJs } from "../../build/pusher_js.ts";
import { batchesOf } from "./batches.ts";
import { DenoRuns, type Outcome } from "./deno_runs.ts";
import { ImportGraph, testFiles } from "./import_graph.ts";
import { furtherLane, type Lane, unitLane } from "./lanes.ts";
import { type Need, needsOf } from "./needs.ts";
import { installPrograms } from "./programs.ts";
import { isBelow, leftOutFolders } from "./stand_ins.ts";
import { summaryOf } from "./summary.ts";

/** The arguments with which Deno tries mutations. */
const mutate = ["run", "-A", "tools/mutate/main.ts"];

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * The test command. Without arguments it installs, builds, checks, runs every test and tries some
 * mutations; with paths, it runs the tests there and what they need; with `--unit`, the tests that need
 * nothing. Other flags go to `deno test`.
 */
async function main(args: string[]): Promise<number> {
  const deno = new DenoRuns();
  try {
    const paths = args.filter((arg) => !arg.startsWith("-"));
    const flags = args.filter((arg) => arg.startsWith("-") && arg !== "--unit");
    // Pages import it.
    await buildPusherJs();
    const needs = needsByFile(paths.length > 0 ? paths : ["tests"]);
    if (args.includes("--unit")) return await runUnit(deno, needs, flags);
    if (args.length > 0) return await runSome(deno, needs, flags);
    return await runAll(deno, needs);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}

/** What each test file at and below the paths needs. */
function needsByFile(paths: string[]): Map<string, Need[]> {
  const graph = new ImportGraph(root);
  const leftOut = leftOutFolders(root);
  if (leftOut.length > 0) {
    console.log(`Left out, as deno.json links no stand-ins: ${leftOut.join(", ")}`);
  }
  const files = paths.flatMap((path) => testFiles(root, path))
    .filter((file) => !isBelow(leftOut, file));
  if (files.length === 0) throw new Error(`There are no tests in ${paths.join(" and ")}.`);
  return new Map(files.map((file) => [file, needsOf(file, graph)]));
}

async function runAll(deno: DenoRuns, needs: Map<string, Need[]>): Promise<number> {
  const times: [part: string, durationMs: number][] = [];
  async function timed<Result>(part: string, work: Promise<Result>): Promise<Result> {
    const start = performance.now();
    const result = await work;
    times.push([part, performance.now() - start]);
    return result;
  }
  /** What is no run of tests. */
  const others: Outcome[] = [];
  const runs = await timed(
    "all",
    (async () => {
      await timed("programs", install(needs));
      // First, as the check would take the routes of an old build for missing modules.
      const build = await timed("build", deno.run(["task", "build"]));
      if (!build.success) return [failed];
      const checking = timed("check", deno.run(["task", "check"]));
      const lane = unitLane(needs);
      const unit = timed("unit tests", deno.run(togetherArguments(lane.flags, lane.files)));
      // Meanwhile, as the check keeps one core busy for half a minute.
      const further = timed("tests with servers", runFurther(deno, furtherLane(needs)));
      const check = await checking;
      if (!check.success) await deno.endAll();
      others.push(check);
      // Meanwhile, as tests of servers and pages leave the cores idle for a part of their time.
      others.push(await timed("mutations", deno.run([...mutate, "--tested"])));
      return [await unit, ...await further];
    })(),
  );
  console.log();
  for (const [part, ms] of times) console.log(`${part.padEnd(24)}${seconds(ms).padStart(6)}`);
  const tried = others.map(({ output }) => /^\d+ mutations: .*$/m.exec(output)?.[0]);
  console.log(tried.find((line) => line) ?? "No mutations were tried");
  console.log(summaryOf(runs.map(({ output }) => output)));
  return [...runs, ...others].every(({ success }) => success) ? 0 : 1;
}

/** Stands for tests that did not run, because what they are of is wrong. */
const failed: Outcome = { success: false, output: "", durationMs: 0 };

/** Three to a core: tests of servers and pages wait for half of their time or more. */
const jobsAtATime = 3 * navigator.hardwareConcurrency;

/** Runs the tests of servers, which share one of PostgreSQL, one of Redis and a bundle of the program. */
async function runFurther(deno: DenoRuns, { files, flags }: Lane): Promise<Outcome[]> {
  // What it imports is installed by then.
  const { startSharedPostgres } = await import("../../tests/fixtures/postgres.ts");
  const { startSharedRedis } = await import("../../tests/fixtures/redis.ts");
  const { bundleProgram } = await import("../../tests/fixtures/program.ts");
  await using postgres = await startSharedPostgres();
  await using redis = await startSharedRedis();
  await using bundle = await bundleProgram();
  const environment = {
    ...postgres.environment,
    ...redis.environment,
    ...bundle.environment,
  };
  const lists = batchesOf(files).map((batch) => togetherArguments(flags, batch));
  return await deno.runEach(lists, jobsAtATime, environment);
}

/** Runs tests with what they need and nothing else. */
async function runSome(
  deno: DenoRuns,
  needs: Map<string, Need[]>,
  flags: string[],
): Promise<number> {
  await install(needs);
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
  const lane = unitLane(needs);
  if (lane.files.length === 0) {
    const [[file, [need]]] = needs;
    throw new Error(`There are no unit tests: ${file} needs ${need.name}.`);
  }
  return summarized(await deno.run(togetherArguments([...lane.flags, ...flags], lane.files)));
}

function summarized({ success, output }: Outcome): number {
  console.log(summaryOf([output]));
  return success ? 0 : 1;
}

function testArguments(flags: string[], files: string[]): string[] {
  return ["test", "--preload=tools/test/preload.ts", ...flags, ...files];
}

/** For files that run in one isolate. */
function togetherArguments(flags: string[], files: string[]): string[] {
  const together = ["tools/test/together.ts", "--", ...files];
  return testArguments([...flags, "--no-check"], together);
}

async function install(needs: Map<string, Need[]>): Promise<void> {
  const all = new Set([...needs.values()].flat());
  await installPrograms([...all].flatMap(({ program }) => program ?? []));
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}

Deno.chdir(root);
Deno.exit(await main(Deno.args));
