/**
 * Runs esbuild for `bundle.ts`, as a worker. With the worker ends all that esbuild has started, which its
 * own `stop` does not wait for.
 *
 * @module
 */
import * as esbuild from "esbuild";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { bootScript, reloadScript } from "../browser/script_names.ts";
import type { Bundle, BundleRequest, BundleResult } from "./bundle.ts";
import { type ImportMap, readImportMap } from "./import_map.ts";

self.onmessage = async ({ data }: MessageEvent<BundleRequest>) => {
  const result: BundleResult = await bundle(data).then(
    (bundle) => ({ bundle }),
    (error: Error) => ({ message: error.message }),
  );
  await esbuild.stop();
  self.postMessage(result);
};

async function bundle({ project, islands, mode }: BundleRequest): Promise<Bundle> {
  const importMap = await readImportMap(project.root);
  const entryPoints: Record<string, string> = {
    [bootScript]: fileURLToPath(new URL("../browser/boot.ts", import.meta.url)),
    ...Object.fromEntries(islands),
  };
  if (mode === "development") {
    entryPoints[reloadScript] = fileURLToPath(new URL("../browser/reload.ts", import.meta.url));
  }
  const result = await esbuild.build({
    entryPoints,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: project.target,
    minify: mode === "production",
    sourcemap: mode === "development" ? "inline" : false,
    define: { "process.env.NODE_ENV": JSON.stringify(mode) },
    jsx: "automatic",
    jsxImportSource: importMap.jsxImportSource,
    absWorkingDir: project.root,
    outdir: project.outDir,
    write: false,
    metafile: true,
    logLevel: "silent",
    plugins: [resolveBy(importMap)],
  });
  return bundleOf(project.root, result.outputFiles, Object.keys(result.metafile.inputs));
}

function bundleOf(root: string, files: esbuild.OutputFile[], inputs: string[]): Bundle {
  const sources = inputs.filter((path) => !path.includes("node_modules"));
  return {
    scripts: new Map(files.map(({ path, contents }) => [basename(path), new Uint8Array(contents)])),
    sources: new Set(sources.map((path) => fileURLToPath(new URL(path, `file://${root}/`)))),
  };
}

/** Resolves the imports of the project's own modules as Deno does; packages are left to esbuild. */
function resolveBy(importMap: ImportMap): esbuild.Plugin {
  return {
    name: "import-map",
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path, importer, kind, pluginData }) => {
        const isOurs = kind !== "entry-point" && !importer.includes("/node_modules/");
        if (!isOurs || pluginData?.isMapped) return undefined;
        const mapped = importMap.resolve(path);
        if (mapped.startsWith("/")) return { path: mapped };
        return resolve(mapped, {
          kind,
          resolveDir: importMap.folder,
          pluginData: { isMapped: true },
        });
      });
    },
  };
}
