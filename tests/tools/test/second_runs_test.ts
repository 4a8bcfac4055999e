import { strict as assert } from "node:assert";
import { it } from "@std/testing/bdd";
import type { Outcome } from "@/tools/test/deno_runs.ts";
import { withSecondRuns } from "@/tools/test/second_runs.ts";

function outcome(file: string, success: boolean): Outcome {
  const output = success ? "ok | 2 passed | 0 failed" : "FAILED | 1 passed | 1 failed";
  return { args: ["test", "-A", file], success, output, durationMs: 0 };
}

const disregard = () => {};

it("a failed run that passes alone counts as passed, and is printed", async () => {
  const printed: string[] = [];
  const runs = [outcome("tests/a_test.ts", true), outcome("tests/b_test.ts", false)];
  const last = await withSecondRuns(
    runs,
    (args) => Promise.resolve(outcome(args[2], true)),
    (line) => printed.push(line),
  );
  assert.deepEqual(last.map(({ args, success }) => [args[2], success]), [
    ["tests/a_test.ts", true],
    ["tests/b_test.ts", true],
  ]);
  assert.deepEqual(printed, [
    "\nFailed, and is run once more, alone: tests/b_test.ts",
    "Passed alone: tests/b_test.ts",
  ]);
});

it("a run that fails again has failed", async () => {
  const runs = [outcome("tests/a_test.ts", false)];
  const [last] = await withSecondRuns(
    runs,
    (args) => Promise.resolve(outcome(args[2], false)),
    disregard,
  );
  assert.equal(last.success, false);
});

it("only failed runs are run again, one at a time", async () => {
  let running = 0;
  const ran: string[] = [];
  const runs = ["a", "b", "c"].map((name) => outcome(`tests/${name}_test.ts`, name === "b"));
  await withSecondRuns(runs, async (args) => {
    assert.equal(++running, 1);
    await Promise.resolve();
    running--;
    ran.push(args[2]);
    return outcome(args[2], true);
  }, disregard);
  assert.deepEqual(ran, ["tests/a_test.ts", "tests/c_test.ts"]);
});

it("many failed runs are a fault of the program, and are not run again", async () => {
  const runs = Array.from({ length: 7 }, (_, index) => outcome(`tests/${index}_test.ts`, false));
  const last = await withSecondRuns(runs, () => assert.fail("ran again"), disregard);
  assert.deepEqual(last, runs);
});
