import { bundleApplication } from "./application.ts";
import { compile } from "./compiled.ts";
import { projectFolder } from "./run.ts";
import { writeSelfExtracting } from "./self_extracting.ts";

/**
 * Makes one file of Rollcall, `dist/rollcall`, for Linux on x86-64: with `deno compile` where that has its
 * runtime, else, or with `--self-extracting`, a file that unpacks itself.
 */
async function main(): Promise<number> {
  if (Deno.build.target !== "x86_64-unknown-linux-gnu") {
    console.error("The executable is made on Linux on x86-64 only");
    return 1;
  }
  const output = `${projectFolder}dist/rollcall`;
  const folder = await Deno.makeTempDir({ prefix: "rollcall-package-" });
  try {
    await Deno.mkdir(`${projectFolder}dist`, { recursive: true });
    await bundleApplication(`${folder}/app`);
    await makeExecutable(folder, output);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  const megabytes = (await Deno.stat(output)).size / 1_000_000;
  console.log(`dist/rollcall: ${megabytes.toFixed(1)} MB`);
  return 0;
}

async function makeExecutable(folder: string, output: string): Promise<void> {
  if (!Deno.args.includes("--self-extracting")) {
    const reason = await compile(`${folder}/app`, output);
    if (reason === null) return;
    console.log(`deno compile has no runtime here (${reason}): making a file that unpacks itself`);
  }
  await Deno.copyFile(await Deno.realPath(Deno.execPath()), `${folder}/deno`);
  await writeSelfExtracting(folder, output);
}

Deno.exit(await main());
