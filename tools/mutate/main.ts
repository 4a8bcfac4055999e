import { join } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { ImportGraph } from "../test/import_graph.ts";
import { described, type Fault, faultOf, storiesOf } from "./story.ts";
import { ProjectCopy } from "./project_copy.ts";
import { endTrials, type Outcome, trial } from "./trial.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** How long all tests may take without a fault, in milliseconds. */
const longestBaselineMs = 60 * 60_000;

/** How many faults the operators make at most, unless `--all` is given. */
const mostGeneric = 60;

/** What the report calls a fault whose tests ended so. */
const verdicts: Record<Outcome, string> = {
  failed: "caught",
  passed: "SURVIVED",
  hung: "HUNG",
  "not begun": "DOES NOT LOAD",
};

/**
 * The mutate command: puts one fault after the other into copies of the project, and runs the tests
 * that are expected to notice. Without arguments it tells the stories, with words the ones that have one
 * of them in their file or phrase. With files, or with `--changed=COMMIT`, operators break these files.
 * Before, all these tests have to pass without a fault, unless `--tested` states that they did.
 *
 * @returns 1 unless every story is caught. Faults of operators that survive are reported only: many
 * change nothing that anybody could notice.
 */
async function main(args: string[], copies: ProjectCopy[]): Promise<number> {
  const files = await filesToBreak(args);
  const faults = files.length > 0 ? await generic(files, args.includes("--all")) : await told(args);
  if (faults.length === 0) return 0;
  for (let count = 0; count < navigator.hardwareConcurrency; count++) {
    copies.push(await ProjectCopy.make(root));
  }
  const tests = [...new Set(faults.flatMap((fault) => fault.tests))];
  const areTested = args.includes("--tested");
  if (!areTested && await trial(copies[0].root, tests, longestBaselineMs) !== "passed") {
    throw new Error("The tests fail without a fault. Run them with deno task test.");
  }
  const outcomes = await tried(faults, copies);
  const numbers = Object.entries(verdicts).map(([outcome, verdict]) =>
    `${outcomes.filter((each) => each === outcome).length} ${verdict.toLowerCase()}`
  );
  console.log(`${outcomes.length} mutations: ${numbers.join(", ")}`);
  return files.length > 0 || outcomes.every((outcome) => outcome === "failed") ? 0 : 1;
}

async function tried(faults: readonly Fault[], copies: readonly ProjectCopy[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = faults.values();
  await Promise.all(copies.map(async (copy) => {
    for (const fault of waiting) {
      const outcome = await copy.with(fault, () => trial(copy.root, fault.tests));
      outcomes.push(outcome);
      if (outcome !== "failed") console.log(described(fault, textOf(fault), verdicts[outcome]));
    }
  }));
  return outcomes;
}

async function filesToBreak(args: readonly string[]): Promise<string[]> {
  const named = args.filter((arg) => /\.tsx?$/.test(arg));
  const base = args.find((arg) => arg.startsWith("--changed="))?.slice("--changed=".length);
  if (base === undefined) return named;
  const { changedFiles } = await import("./generic.ts");
  return [...named, ...await changedFiles(root, base)];
}

async function generic(files: readonly string[], areAll: boolean): Promise<Fault[]> {
  const { genericFaults, spread } = await import("./generic.ts");
  const graph = new ImportGraph(root);
  const faults = files.flatMap((file) => genericFaults(root, file, graph));
  return areAll ? faults : spread(faults, mostGeneric);
}

async function told(args: readonly string[]): Promise<Fault[]> {
  const words = args.filter((arg) => !arg.startsWith("--"));
  const stories = (await storiesOf(root)).filter(({ file, what }) =>
    words.length === 0 || words.some((word) => file.includes(word) || what.includes(word))
  );
  if (stories.length === 0 && words.length > 0) {
    throw new Error(`No story has ${words.join(" or ")} in its file or phrase.`);
  }
  return stories.map((story) => faultOf(story, textOf(story)));
}

function textOf({ file }: { file: string }): string {
  return Deno.readTextFileSync(join(root, file));
}

const copies: ProjectCopy[] = [];
const removeCopies = () => copies.forEach((copy) => copy.removeSync());
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => {
    endTrials();
    removeCopies();
    Deno.exit(130);
  });
}
let code = 1;
try {
  code = await main(Deno.args, copies);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  removeCopies();
}
Deno.exit(code);
