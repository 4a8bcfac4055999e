import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type BuildOptions, type Plugin, stop } from "esbuild";
import deno from "@/deno.json" with { type: "json" };

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Where `npm publish` finds the package. */
export const builtFolder = path("../../dist/client");

/**
 * Builds the package for npm into a folder: `dist/rollcall.js` and a module for each framework, which take
 * the former for granted; `dist/rollcall.min.js` for script tags; the types; the manifest, in the version of
 * Rollcall.
 */
export async function buildClient(folder = builtFolder): Promise<void> {
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(`${folder}/types`, { recursive: true });
  try {
    await build(optionsOf("esm", ["rollcall", "react", "vue", "svelte"], `${folder}/dist`));
    await build(optionsOf("iife", ["script"], `${folder}/dist`));
  } finally {
    // Its process would keep this one from ending.
    await stop();
  }
  for (const { name } of Deno.readDirSync(path("types"))) {
    await Deno.copyFile(path(`types/${name}`), `${folder}/types/${name}`);
  }
  await Deno.copyFile(path("README.md"), `${folder}/README.md`);
  await Deno.copyFile(path("../../LICENSE"), `${folder}/LICENSE`);
  const { name, ...manifest } = JSON.parse(await Deno.readTextFile(path("manifest.json")));
  const text = JSON.stringify({ name, version: deno.version, ...manifest }, null, 2);
  await Deno.writeTextFile(`${folder}/package.json`, `${text}\n`);
}

function optionsOf(format: "esm" | "iife", names: string[], outdir: string): BuildOptions {
  const entries = names.map((name) => [name === "script" ? "rollcall.min" : name, name]);
  return {
    entryPoints: Object.fromEntries(entries.map(([out, name]) => [out, path(`src/${name}.ts`)])),
    outdir,
    format,
    bundle: true,
    minify: true,
    target: "es2022",
    external: ["react", "vue"],
    plugins: format === "esm" ? [oneClient] : [],
    banner: { js: `/*! @rollcall/client ${deno.version}, MIT license */` },
  };
}

/** A page has one client, whichever modules it loads: what it knows is in one of them. */
const oneClient: Plugin = {
  name: "one client",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/rollcall\.ts$/ }, () => ({ path: "./rollcall.js", external: true }));
  },
};

if (import.meta.main) {
  await buildClient();
  for (const file of ["rollcall.js", "rollcall.min.js"]) {
    const { length } = gzipSync(await Deno.readFile(`${builtFolder}/dist/${file}`), { level: 9 });
    console.log(`dist/client/dist/${file}: ${length} bytes compressed`);
  }
}
