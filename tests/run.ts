import { installRequirements } from "./requirements.ts";

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
  const checked = await run(["task", "check"]);
  const built = checked.success && (await run(["task", "build"])).success;
  if (!built) {
    console.log("0 passed, 1 failed, 0 skipped");
    return 1;
  }
  const tests = await run(["test", "-A", ...Deno.args]);
  console.log(summary(tests.output));
  return tests.success ? 0 : 1;
}

async function run(args: string[]): Promise<{ success: boolean; output: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const decoder = new TextDecoder();
  let output = "";
  for await (const chunk of child.stdout) {
    await Deno.stdout.write(chunk);
    output += decoder.decode(chunk, { stream: true });
  }
  return { success: (await child.status).success, output };
}

/** Counts tests and their steps in the closing line of `deno test`. */
function summary(output: string): string {
  const closing = output.split("\n").findLast((line) => /^(ok|FAILED) \| /.test(line)) ?? "";
  const count = (word: string) => {
    const match = closing.match(new RegExp(`(\\d+) ${word}(?: \\((\\d+) steps?\\))?`));
    return match ? Number(match[1]) + Number(match[2] ?? 0) : 0;
  };
  const failed = closing === "" ? 1 : count("failed");
  return `${count("passed")} passed, ${failed} failed, ${count("ignored")} skipped`;
}

Deno.exit(await main());
