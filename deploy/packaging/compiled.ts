import { run } from "./run.ts";

/**
 * Compiles a bundled application to an executable with `deno compile`, which downloads a runtime or uses
 * that of `DENORT_BIN`.
 *
 * @returns null, or why it failed.
 */
export async function compile(application: string, output: string): Promise<string | null> {
  // Deno refuses to overwrite a file that it has not compiled.
  const partial = `${output}.new`;
  const { success, text } = await run(Deno.execPath(), [
    "compile",
    ...["-A", "--no-config", "--no-lock", "--target=x86_64-unknown-linux-gnu"],
    // Without it, workers cannot share a port.
    "--unstable-net",
    // Deno would store the code cache in a shared temporary folder.
    "--no-code-cache",
    ...["--include", application, "--output", partial, `${application}/program/main.js`],
  ]);
  if (!success) return reasonIn(text);
  await Deno.rename(partial, output);
  return null;
}

/** The last of the causes that Deno lists is the most specific one. */
function reasonIn(text: string): string {
  const [cause] = text.trim().split(/\n\nStack backtrace/);
  return cause.trim().split("\n").at(-1)!.replace(/^\s*(\d+|error): /, "");
}
