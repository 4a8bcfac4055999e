import { fileURLToPath } from "node:url";
import { areas } from "./areas.ts";
import type { Mutation } from "./mutation.ts";
import { ProjectCopy } from "./project_copy.ts";
import { quickMutations } from "./quick.ts";
import { endTrials, type Outcome, trial } from "./trial.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** How long the tests of all mutations may take without a mutation, in milliseconds. */
const longestBaselineMs = 60 * 60_000;

/** What the report calls a mutation whose tests ended so. */
const verdicts: Record<Outcome, string> = {
  failed: "caught",
  passed: "SURVIVED",
  hung: "HUNG",
  "not begun": "DOES NOT LOAD",
};

/**
 * The mutate command: puts one fault after the other into copies of the project, and runs the tests
 * that are expected to notice. With areas, theirs only; with other words, those that have one of them
 * in their file or phrase; with `--quick`, those of {@link quickMutations}. Before, all these tests
 * have to pass without a fault, unless `--tested` states that they did.
 *
 * @returns 1 unless every mutation is caught.
 */
async function main(args: string[], copies: ProjectCopy[]): Promise<number> {
  const mutations = chosen(args);
  for (let count = 0; count < navigator.hardwareConcurrency; count++) {
    copies.push(await ProjectCopy.make(root));
  }
  const tests = [...new Set(mutations.flatMap((mutation) => mutation.tests))];
  const areTested = args.includes("--tested");
  if (!areTested && await trial(copies[0].root, tests, longestBaselineMs) !== "passed") {
    throw new Error("The tests fail without a mutation. Run them with deno task test.");
  }
  const outcomes = new Map<Mutation, Outcome>();
  const waiting = mutations.values();
  await Promise.all(copies.map(async (copy) => {
    for (const mutation of waiting) {
      const outcome = await copy.with(mutation, () => trial(copy.root, mutation.tests));
      outcomes.set(mutation, outcome);
      if (outcome !== "failed") console.log(reportOf(mutation, outcome));
    }
  }));
  const all = [...outcomes.values()];
  const numbers = Object.entries(verdicts).map(([outcome, verdict]) =>
    `${all.filter((each) => each === outcome).length} ${verdict.toLowerCase()}`
  );
  console.log(`${all.length} mutations: ${numbers.join(", ")}`);
  return all.every((outcome) => outcome === "failed") ? 0 : 1;
}

function chosen(args: string[]): Mutation[] {
  const words = args.filter((arg) => !arg.startsWith("--"));
  const names = words.filter((word) => Object.hasOwn(areas, word));
  const parts = words.filter((word) => !Object.hasOwn(areas, word));
  const isQuick = args.includes("--quick");
  const all = Object.entries(areas)
    .filter(([name]) => names.length === 0 || names.includes(name))
    .flatMap(([name, mutations]) => isQuick ? quickMutations(name) : mutations)
    .filter(({ file, what }) =>
      parts.length === 0 || parts.some((part) => file.includes(part) || what.includes(part))
    );
  if (all.length === 0) {
    throw new Error(
      `No mutation has ${parts.join(" or ")} in its file or phrase. ` +
        `There are the areas ${Object.keys(areas).join(", ")}.`,
    );
  }
  return all;
}

function reportOf({ file, from, to, tests, what }: Mutation, outcome: Outcome): string {
  return [
    `${verdicts[outcome]}: ${what} (${file})`,
    ...from.split("\n").map((line) => `  - ${line}`),
    ...to.split("\n").map((line) => `  + ${line}`),
    `  ${tests.join(" ")}`,
  ].join("\n");
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
