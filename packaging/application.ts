import { mustRun } from "./run.ts";

/** Builds the pages, as `deno task build` does. */
export async function buildPages(): Promise<void> {
  await mustRun(Deno.execPath(), ["run", "-A", "dev.ts", "build"]);
}

/**
 * Bundles the application with the pages that are built: afterwards `folder` has `main.js`, the command
 * line, with all packages in it and the scripts beside it, and `client/`, the files for browsers.
 */
export async function bundleApplication(folder: string): Promise<void> {
  // Not made smaller: it would start no faster, and errors in the log would name nothing.
  const options = ["--platform=deno", "--code-splitting"];
  await mustRun(Deno.execPath(), ["bundle", ...options, `--outdir=${folder}`, "cli/main.ts"]);
  await mustRun("cp", ["-R", "_fresh/client", `${folder}/client`]);
}
