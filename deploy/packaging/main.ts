import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildPages, bundleApplication } from "./application.ts";
import { compile } from "./compiled.ts";
import { writeSelfExtracting } from "./self_extracting.ts";

/**
 * Makes the executable, for Linux on x86-64: with `deno compile` if its runtime is available, otherwise
 * as a self-extracting file.
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
  if (Deno.build.target !== "x86_64-unknown-linux-gnu") {
    console.error("The executable can only be made on Linux on x86-64");
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
    console.log(`deno compile has no runtime here (${reason}): making a self-extracting file`);
  }
  await Deno.copyFile(await Deno.realPath(Deno.execPath()), `${folder}/deno`);
  await writeSelfExtracting(folder, output);
}

Deno.exit(await main());
