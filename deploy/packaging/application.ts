import { fileURLToPath } from "node:url";
import { dirname } from "node:path";
import { builtFiles, readBrowserFiles } from "@/http/built_files.ts";

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

/** Builds the pages, as `deno task build` does. */
export async function buildPages(): Promise<void> {
  await mustRun(Deno.execPath(), ["run", "-A", "dev.ts", "build"]);
}

/**
 * Bundles the application and the built pages into `folder`: below `program/` `main.js`, which is the
 * command line with all packages, and the scripts that it loads; beside that the files for browsers, which
 * the build looks for at the same paths as in the project.
 */
export async function bundleApplication(folder: string): Promise<void> {
  // Not minified: it would start no faster, and stacks in the log would lose their names.
  const options = ["--platform=deno", "--code-splitting"];
  const outdir = `--outdir=${folder}/program`;
  await mustRun(Deno.execPath(), ["bundle", ...options, outdir, "cli/main.ts"]);
  const { compressed } = await readBrowserFiles(".");
  const served = servedFiles(await Deno.readTextFile("_fresh/snapshot.js"));
  for (
    const file of [
      ...served,
      ...Object.values(compressed).flatMap(Object.values),
      ...builtFiles,
    ]
  ) {
    await Deno.mkdir(dirname(`${folder}/${file}`), { recursive: true });
    await Deno.copyFile(file, `${folder}/${file}`);
  }
}

/**
 * The files for browsers of a build, of which earlier ones may have left more in the same folders.
 *
 * @param snapshot the module in which the build lists them.
 * @returns paths in the project.
 */
export function servedFiles(snapshot: string): string[] {
  const paths = [...snapshot.matchAll(/"filePath":("(?:[^"\\]|\\.)*")/g)];
  if (paths.length === 0) throw new Error("_fresh/snapshot.js lists no files for browsers");
  return paths.map(([, path]) => JSON.parse(path));
}
