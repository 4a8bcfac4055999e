import { buildPages, bundleApplication, run } from "./application.ts";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeSelfExtracting } from "./self_extracting.ts";

/**
 * Compiles a bundled application to an executable with `deno compile`, which downloads a runtime or uses
 * the one at `DENORT_BIN`.
 *
 * @returns null, or why it failed.
 */
async function compile(application: string, output: string): Promise<string | null> {
  // Deno refuses to overwrite a file that it has not compiled.
  const partial = `${output}.new`;
  const { success, text } = await run(Deno.execPath(), [
    "compile",
    "-A",
    "--no-config",
    "--no-lock",
    `--target=${Deno.build.target}`,
    // Without it, workers cannot share a port.
    "--unstable-net",
    // Without it, each request costs an exception when it is answered: an eighth of a connection's CPU time.
    "--unstable-no-legacy-abort",
    // Deno would store the code cache in a shared temporary folder.
    "--no-code-cache",
    "--include",
    application,
    "--output",
    partial,
    `${application}/program/main.js`,
  ]);
  if (!success) return reasonIn(text);
  await Deno.rename(partial, output);
  return null;
}

/** What the executable is made for, each on a machine of its kind. */
const targets: readonly string[] = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
];

/** The last of the causes that Deno lists is the most specific one. */
function reasonIn(text: string): string {
  const [cause] = text.trim().split(/\n\nStack backtrace/);
  return cause.trim().split("\n").at(-1)!.replace(/^\s*(\d+|error): /, "");
}

/**
 * Makes the executable for this system and machine: with `deno compile` if its runtime is available, otherwise,
 * on Linux, as a self-extracting file.
 *
 * - `--self-extracting`: always make a self-extracting file
 * - `--built`: use the pages of the last build
 * - `--output FILE`: default `dist/rollcall`
 */
async function main(): Promise<number> {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      "self-extracting": { type: "boolean", default: false },
      built: { type: "boolean", default: false },
      output: { type: "string", default: "dist/rollcall" },
    },
  });
  if (!targets.includes(Deno.build.target)) {
    console.error("The executable is made on Linux or macOS, on x86-64 or arm64");
    return 1;
  }
  const output = resolve(values.output);
  const folder = await Deno.makeTempDir({ prefix: "rollcall-package-" });
  try {
    await Deno.mkdir(dirname(output), { recursive: true });
    if (!values.built) await buildPages();
    await bundleApplication(`${folder}/app`);
    await makeExecutable(folder, output, values["self-extracting"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  const megabytes = (await Deno.stat(output)).size / 1_000_000;
  console.log(`${values.output}: ${megabytes.toFixed(1)} MB`);
  return 0;
}

async function makeExecutable(
  folder: string,
  output: string,
  selfExtracting: boolean,
): Promise<void> {
  if (!selfExtracting) {
    const reason = await compile(`${folder}/app`, output);
    if (reason === null) return;
    if (Deno.build.os !== "linux") throw new Error(`deno compile has no runtime here: ${reason}`);
    console.log(`deno compile has no runtime here (${reason}): making a self-extracting file`);
  }
  await Deno.copyFile(await Deno.realPath(Deno.execPath()), `${folder}/deno`);
  await writeSelfExtracting(folder, output);
}

Deno.exit(await main());
