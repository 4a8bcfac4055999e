import { run } from "./run.ts";

/**
 * Compiles a bundled application to an executable with `deno compile`, which downloads a runtime, or takes
 * the one that `DENORT_BIN` names.
 *
 * @returns null, or why it was not possible.
 */
export async function compile(application: string, output: string): Promise<string | null> {
  // Deno does not overwrite what it has not compiled itself.
  const beside = `${output}.new`;
  const { success, text } = await run(Deno.execPath(), [
    "compile",
    ...["-A", "--no-config", "--no-lock", "--target=x86_64-unknown-linux-gnu"],
    // Deno would keep it in a shared folder for temporary files.
    "--no-code-cache",
    ...["--include", application, "--output", beside, `${application}/main.js`],
  ]);
  if (!success) return reasonIn(text);
  await Deno.rename(beside, output);
  return null;
}

/** The last of the causes that Deno lists is the one that says what happened. */
function reasonIn(text: string): string {
  const [cause] = text.trim().split(/\n\nStack backtrace/);
  return cause.trim().split("\n").at(-1)!.replace(/^\s*(\d+|error): /, "");
}
