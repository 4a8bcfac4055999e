import { join } from "node:path/posix";
import { type ImportGraph, testFiles } from "../test/import_graph.ts";
import type { Fault } from "./story.ts";
import { breaksOf } from "./operators.ts";

/** The faults that the operators put into a file of the program, with the tests nearest to it. */
export function genericFaults(root: string, file: string, graph: ImportGraph): Fault[] {
  const tests = nearestTests(root, file, graph);
  if (tests.length === 0) return [];
  const text = Deno.readTextFileSync(join(root, file));
  return breaksOf(text, file.endsWith("x")).map((each) => ({
    what: each.what,
    file,
    start: each.start,
    end: each.end,
    to: each.to,
    tests,
  }));
}

/** The tests that import a file themselves; where there are none, the tests that reach it by fewest steps. */
export function nearestTests(root: string, file: string, graph: ImportGraph): string[] {
  const steps = new Map<string, number>();
  for (const test of testFiles(root, "tests")) {
    const count = stepsTo(file, test, graph);
    if (count !== undefined) steps.set(test, count);
  }
  const fewest = Math.min(...steps.values());
  return [...steps].filter(([, count]) => count === fewest).map(([test]) => test);
}

function stepsTo(file: string, test: string, graph: ImportGraph): number | undefined {
  let loaded = new Set([test]);
  const seen = new Set(loaded);
  for (let count = 0; loaded.size > 0; count++) {
    if (loaded.has(file)) return count;
    loaded = new Set(
      [...loaded].flatMap((name) => graph.loadedBy(name)).filter((name) => !seen.has(name)),
    );
    loaded.forEach((name) => seen.add(name));
  }
}

/** Some of a list, evenly spread over it. */
export function spread<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items];
  return Array.from({ length: most }, (_, index) => items[Math.floor(index * items.length / most)]);
}

/** Files of the program that differ from a commit; none, where the clone does not have it. */
export async function changedFiles(root: string, base: string): Promise<string[]> {
  const args = ["diff", "--name-only", "--diff-filter=d", base];
  const { stdout } = await new Deno.Command("git", { args, cwd: root }).output();
  return new TextDecoder().decode(stdout).match(/^(?!(tests|tools|.+\/jsr)\/).+\.tsx?$/gm) ?? [];
}
