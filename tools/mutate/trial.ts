import { testConfiguration } from "../test/configuration.ts";
import { ImportGraph } from "../test/import_graph.ts";
import { unitLane } from "../test/lanes.ts";
import { needsOf } from "../test/needs.ts";

/**
 * How tests end: all pass, one fails, the time is over, or they did not begin, because the code does
 * not even load.
 */
export type Outcome = "passed" | "failed" | "hung" | "not begun";

/** How long the tests of one mutation may take, in milliseconds; with a server, they build first. */
const longestMs = { unit: 300_000, withServers: 600_000 };

/**
 * A zone with summer time, which begins at midnight: much that is wrong of times is right in UTC. Of
 * the tests that run on each database engine, those on SQLite do: the others take many times as long.
 */
const trialEnvironment = {
  NO_COLOR: "1",
  DENO_JOBS: "1",
  TZ: "Africa/Cairo",
  TEST_ENGINES: "sqlite",
};

/** The tests that are under way. */
const running = new Set<Deno.ChildProcess>();

/** Whether tests need neither a server, nor a browser, a database or a process. */
export function areUnitTests(root: string, tests: readonly string[]): boolean {
  const graph = new ImportGraph(root);
  return tests.every((test) => needsOf(test, graph).length === 0);
}

/**
 * Runs test files of a copy of the project.
 *
 * @param timeoutMs by default, what the tests of one mutation may take.
 */
export async function trial(
  root: string,
  tests: readonly string[],
  timeoutMs?: number,
): Promise<Outcome> {
  const isUnit = areUnitTests(root, tests);
  const { flags, files } = unitLane(new Map(tests.map((test) => [test, []])));
  const args = isUnit
    ? ["test", testConfiguration, ...flags, "--no-check", "--fail-fast", ...files]
    : ["run", "-A", "tools/test/main.ts", "--no-check", "--fail-fast", ...tests];
  const longest = timeoutMs ?? (isUnit ? longestMs.unit : longestMs.withServers);
  return await outcomeOf(root, args, longest);
}

/** The tests end with the first step that fails: with a broken program, each may wait until it is late. */
async function outcomeOf(cwd: string, args: string[], timeoutMs: number): Promise<Outcome> {
  const child = new Deno.Command(Deno.execPath(), {
    args,
    cwd,
    env: trialEnvironment,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  running.add(child);
  let isLate = false;
  const timeout = setTimeout(() => {
    isLate = true;
    end(child);
  }, timeoutMs);
  let output = "";
  let hasFailed = false;
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += text;
    if (hasFailed || !/\.\.\. FAILED|^FAILED \| /m.test(output)) continue;
    hasFailed = true;
    end(child);
  }
  const { success } = await child.status;
  clearTimeout(timeout);
  running.delete(child);
  if (hasFailed) return "failed";
  if (isLate) return "hung";
  return success ? "passed" : "not begun";
}

/** Ends the tests that are under way. */
export function endTrials(): void {
  running.forEach(end);
}

function end(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGTERM");
  } catch {
    // It has ended by itself.
  }
}
