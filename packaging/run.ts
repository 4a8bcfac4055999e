import { fileURLToPath } from "node:url";

/** How long a program may take, in milliseconds: one may load something of 40 MB. */
const patienceMs = 300_000;

/** What became of a program. */
export interface Outcome {
  success: boolean;
  /** All that it printed, on stdout and on stderr. */
  text: string;
}

/** Runs a program to its end, without a terminal, in the project's folder. */
export async function run(program: string, args: string[]): Promise<Outcome> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args,
    cwd: projectFolder,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(patienceMs),
  }).output();
  const decoder = new TextDecoder();
  return { success, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

const projectFolder = fileURLToPath(new URL("..", import.meta.url));

/**
 * Runs a program that has to succeed.
 *
 * @returns what it printed.
 * @throws {Error} with what it printed.
 */
export async function mustRun(program: string, args: string[]): Promise<string> {
  const { success, text } = await run(program, args);
  if (!success) throw new Error(`${program} ${args[0]} failed:\n${text}`);
  return text;
}
