import { mustRun } from "./run.ts";

/** Builds the pages, as `deno task build` does. */
export async function buildPages(): Promise<void> {
  await mustRun(Deno.execPath(), ["run", "-A", "dev.ts", "build"]);
}

/**
 * Bundles the application and the built pages into `folder`: `main.js`, which is the command line with
 * all packages, the scripts that it loads, and `client/`, the files for browsers.
 */
export async function bundleApplication(folder: string): Promise<void> {
  // Not minified: it would start no faster, and stacks in the log would lose their names.
  const options = ["--platform=deno", "--code-splitting"];
  await mustRun(Deno.execPath(), ["bundle", ...options, `--outdir=${folder}`, "cli/main.ts"]);
  await mustRun("cp", ["-R", "_fresh/client", `${folder}/client`]);
}
