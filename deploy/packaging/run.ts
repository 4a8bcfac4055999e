import { fileURLToPath } from "node:url";

/** Limit for a program, in milliseconds; one may download 40 MB. */
const timeoutMs = 300_000;

/** The result of a program. */
export interface Outcome {
  success: boolean;
  /** Its output on stdout and stderr. */
  text: string;
}

/** Runs a program without a terminal, in the project's folder, until it ends. */
export async function run(program: string, args: string[]): Promise<Outcome> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args,
    cwd: projectFolder,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(timeoutMs),
  }).output();
  const decoder = new TextDecoder();
  return { success, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

const projectFolder = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Runs a program that has to succeed.
 *
 * @returns its output.
 * @throws {Error} with its output, when it fails.
 */
export async function mustRun(program: string, args: string[]): Promise<string> {
  const { success, text } = await run(program, args);
  if (!success) throw new Error(`${program} ${args[0]} failed:\n${text}`);
  return text;
}
