import { mustRun } from "./run.ts";

/** What starts: the application's entry, and the name of its bundle. */
const entry = { source: "serve.ts", bundle: "serve.js" };

/**
 * Builds the pages and bundles the application: afterwards `folder` has `main.js`, with the npm packages
 * in it and in the scripts beside it, and `client/`, the files for browsers.
 */
export async function bundleApplication(folder: string): Promise<void> {
  await mustRun(Deno.execPath(), ["run", "-A", "dev.ts", "build"]);
  // Not made smaller: it would start no faster, and errors in the log would name nothing.
  const options = ["--platform=deno", "--code-splitting"];
  await mustRun(Deno.execPath(), ["bundle", ...options, `--outdir=${folder}`, entry.source]);
  await Deno.rename(`${folder}/${entry.bundle}`, `${folder}/main.js`);
  await mustRun("cp", ["-R", "_fresh/client", `${folder}/client`]);
}
