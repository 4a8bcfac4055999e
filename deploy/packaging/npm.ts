import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import deno from "@/deno.json" with { type: "json" };
import { buildPages, bundleApplication, mustRun } from "./application.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** What npm is told of the package, which carries the built app and installs the runtime beside it. */
const manifest = {
  name: "rollcall",
  version: deno.version,
  description: "See who is online in your app, by name, live: a Pusher-compatible WebSocket server",
  license: "MIT",
  type: "module",
  bin: { rollcall: "rollcall.js" },
  files: ["program", "_fresh", "static", "components"],
  // The first that has what the program needs, and the one that it is tested with.
  dependencies: { deno: Deno.version.deno },
  engines: { node: ">=18" },
  // Where Deno's package has a runtime, and signals end a server.
  os: ["linux", "darwin"],
  cpu: ["x64", "arm64"],
};

/**
 * Makes the package for npm in a folder, and packs it beside that: the bundled app, the pages, and a
 * launcher that runs them with Deno.
 *
 * @returns the path of the packed file.
 */
async function packNpm(folder: string): Promise<string> {
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await bundleApplication(folder);
  await Deno.copyFile(path("npm/rollcall.js"), `${folder}/rollcall.js`);
  await Deno.chmod(`${folder}/rollcall.js`, 0o755);
  await Deno.copyFile(path("npm/README.md"), `${folder}/README.md`);
  await Deno.copyFile(path("../../LICENSE"), `${folder}/LICENSE`);
  await Deno.writeTextFile(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  const beside = dirname(folder);
  await mustRun("npm", ["pack", folder, "--pack-destination", beside, "--offline"]);
  return `${beside}/${manifest.name}-${manifest.version}.tgz`;
}

/**
 * - `--built`: use the pages of the last build
 * - `--output FOLDER`: default `dist/npm`; the packed file is beside it
 */
const { values } = parseArgs({
  options: {
    built: { type: "boolean", default: false },
    output: { type: "string", default: "dist/npm" },
  },
});
if (!values.built) await buildPages();
const packed = await packNpm(resolve(values.output));
const megabytes = (await Deno.stat(packed)).size / 1_000_000;
console.log(`${packed}: ${megabytes.toFixed(1)} MB`);
