import { installRequirements } from "./requirements.ts";

/** No run may take longer, in milliseconds: a test that waits for ever fails then. */
const longestMs = 18 * 60_000;

const endSignals = ["SIGINT", "SIGTERM"] as const;

/**
 * The test command: installs what the tests need, checks formatting, lint and types, runs every test
 * and ends with a line of counts. Arguments go to `deno test`.
 */
async function main(): Promise<number> {
  try {
    await installRequirements();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
  const isReady = (await run(["task", "check"])).success && (await run(["task", "build"])).success;
  if (!isReady) {
    console.log("0 passed, 1 failed, 0 skipped");
    return 1;
  }
  const lanes = await runTests(Deno.args);
  console.log(summary(lanes.map(({ output }) => output)));
  return lanes.every(({ success }) => success) ? 0 : 1;
}

interface Run {
  success: boolean;
  output: string;
}

/**
 * Runs all tests: those in browsers, which wait most of the time, beside the others, whose output
 * follows. With arguments, what they name.
 */
async function runTests(args: string[]): Promise<Run[]> {
  if (args.length > 0) return [await run(["test", "-A", ...args])];
  const others = run(["test", "-A", "--ignore=tests/e2e/chromium"], "at the end");
  const browsers = run(["test", "-A", "tests/e2e/chromium"]);
  return await Promise.all([browsers, others.then(tell)]);

  async function tell(lane: Run): Promise<Run> {
    await browsers;
    await write(new TextEncoder().encode(lane.output));
    return lane;
  }
}

/** Runs Deno, in a process group of its own, and shows what it prints. */
async function run(args: string[], shown: "at once" | "at the end" = "at once"): Promise<Run> {
  const child = new Deno.Command(Deno.execPath(), {
    args,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
    detached: true,
  }).spawn();
  const timer = setTimeout(() => {
    console.error(`The tests took more than ${longestMs / 60_000} minutes, and were ended.`);
    end(child.pid);
  }, longestMs);
  const interrupted = async () => {
    await end(child.pid);
    Deno.exit(130);
  };
  for (const signal of endSignals) Deno.addSignalListener(signal, interrupted);
  const decoder = new TextDecoder();
  let output = "";
  for await (const chunk of child.stdout) {
    if (shown === "at once") await write(chunk);
    output += decoder.decode(chunk, { stream: true });
  }
  clearTimeout(timer);
  for (const signal of endSignals) Deno.removeSignalListener(signal, interrupted);
  return { success: (await child.status).success, output };
}

/** Ends a process with all that it started. */
async function end(pid: number): Promise<void> {
  await new Deno.Command("kill", { args: ["-KILL", "--", `-${pid}`] }).output();
}

async function write(bytes: Uint8Array): Promise<void> {
  for (let start = 0; start < bytes.length;) {
    start += await Deno.stdout.write(bytes.subarray(start));
  }
}

/** Counts tests and their steps in the closing lines of `deno test`; a lane without one has failed. */
function summary(outputs: string[]): string {
  const closings = outputs.map((output) =>
    output.split("\n").findLast((line) => /^(ok|FAILED) \| /.test(line)) ?? "FAILED | 1 failed"
  );
  const count = (word: string) => {
    const matches = closings.flatMap((line) =>
      line.match(new RegExp(`(\\d+) ${word}(?: \\((\\d+) steps?\\))?`))?.slice(1) ?? []
    );
    return matches.reduce((sum, digits) => sum + Number(digits ?? 0), 0);
  };
  return `${count("passed")} passed, ${count("failed")} failed, ${count("ignored")} skipped`;
}

Deno.exit(await main());
