import { dirname } from "node:path";
import { browserFilesList, readBrowserFiles } from "@/http/browser_files.ts";
import { mustRun } from "./run.ts";

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
    const file of [...served, ...Object.values(compressed).flatMap(Object.values), browserFilesList]
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
