import { fileURLToPath } from "node:url";
import { DenoRuns, type Outcome } from "./deno_runs.ts";
import { ImportGraph, testFiles } from "./import_graph.ts";
import { furtherLane, type Lane, unitLane } from "./lanes.ts";
import { type Need, needsOf } from "./needs.ts";
import { installPrograms } from "./programs.ts";
import { summaryOf } from "./summary.ts";

/** How long the command may take, in milliseconds. */
const longestMs = 18 * 60_000;

/** The arguments with which Deno tries mutations. */
const mutate = ["run", "-A", "tools/mutate/main.ts"];

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * The test command. Without arguments it installs, builds, checks, runs every test and tries some
 * mutations; with paths, it runs the tests there and what they need; with `--unit`, the tests that need
 * nothing. Other flags go to `deno test`.
 */
async function main(args: string[]): Promise<number> {
  const deno = new DenoRuns(longestMs);
  try {
    const paths = args.filter((arg) => !arg.startsWith("-"));
    const flags = args.filter((arg) => arg.startsWith("-") && arg !== "--unit");
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
  const files = paths.flatMap((path) => testFiles(root, path));
  if (files.length === 0) throw new Error(`There are no tests in ${paths.join(" and ")}.`);
  return new Map(files.map((file) => [file, needsOf(file, graph)]));
}

async function runAll(deno: DenoRuns, needs: Map<string, Need[]>): Promise<number> {
  await install(needs);
  const times: [part: string, durationMs: number][] = [];
  const timed = async (part: string, run: Promise<Outcome>) => {
    const outcome = await run;
    times.push([part, outcome.durationMs]);
    return outcome;
  };
  const testLane = (lane: Lane) => timed(lane.name, runTests(deno, lane, ["--no-check"]));
  // First, as the check would take the routes of an old build for missing modules.
  const steps = [await timed("build", deno.run(["task", "build"]))];
  const tests: Outcome[] = [];
  if (steps[0].success) {
    const checked = timed("check", deno.run(["task", "check"]));
    tests.push(await testLane(unitLane(needs)));
    steps.push(await checked);
  }
  if (steps.every(({ success }) => success)) {
    const lane = testLane(furtherLane(needs));
    // Meanwhile, as tests of servers and pages leave the cores idle for half of their time.
    const mutated = timed("mutations", deno.run([...mutate, "--quick", "--tested"]));
    tests.push(await lane);
    steps.push(await mutated);
  } else {
    tests.push({ success: false, output: "", durationMs: 0 });
  }
  console.log();
  for (const [part, ms] of times) console.log(`${part.padEnd(24)}${seconds(ms).padStart(6)}`);
  const mutations = steps.map(({ output }) => /^\d+ mutations: .*$/m.exec(output)?.[0]);
  console.log(mutations.find((line) => line) ?? "No mutations were tried");
  console.log(summaryOf(tests.map(({ output }) => output)));
  return [...steps, ...tests].every(({ success }) => success) ? 0 : 1;
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
  const lane: Lane = { name: "tests", files: [...needs.keys()], flags: ["-A"], jobs: 1 };
  return await runLane(deno, lane, flags);
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
  return await runLane(deno, lane, ["--no-check", ...flags]);
}

async function runLane(deno: DenoRuns, lane: Lane, flags: string[]): Promise<number> {
  const { success, output } = await runTests(deno, lane, flags);
  console.log(summaryOf([output]));
  return success ? 0 : 1;
}

function runTests(deno: DenoRuns, lane: Lane, furtherFlags: string[]): Promise<Outcome> {
  const args = ["test", ...lane.flags, ...furtherFlags, ...lane.files];
  return deno.run(args, { DENO_JOBS: String(lane.jobs) });
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
