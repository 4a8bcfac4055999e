import * as esbuild from "esbuild";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Mode } from "../server/config.ts";
import { bootScript, reloadScript } from "../server/document.ts";
import { type ImportMap, readImportMap } from "./import_map.ts";
import type { Project } from "./options.ts";

/** The scripts for the browser. */
export interface Bundle {
  /** Contents by file name. */
  scripts: Map<string, Uint8Array<ArrayBuffer>>;
  /** Absolute paths of the modules that they were made of, packages left aside. */
  sources: Set<string>;
}

/**
 * Bundles the islands, with what they share in chunks of its own. Ends esbuild's process before it
 * returns. Rejects with esbuild's messages when the code cannot be bundled.
 *
 * @param islands their files by name
 */
export async function bundleIslands(
  project: Project,
  islands: ReadonlyMap<string, string>,
  mode: Mode,
): Promise<Bundle> {
  const importMap = await readImportMap(project.root);
  const entryPoints: Record<string, string> = {
    [bootScript]: fileURLToPath(new URL("../browser/boot.ts", import.meta.url)),
    ...Object.fromEntries(islands),
  };
  if (mode === "development") {
    entryPoints[reloadScript] = fileURLToPath(
      new URL("../browser/reload.ts", import.meta.url),
    );
  }
  try {
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
    return bundleOf(
      project,
      result.outputFiles,
      Object.keys(result.metafile.inputs),
    );
  } finally {
    await esbuild.stop();
  }
}

function bundleOf(
  project: Project,
  files: esbuild.OutputFile[],
  inputs: string[],
): Bundle {
  const sources = inputs.filter((path) => !path.includes("node_modules"));
  return {
    scripts: new Map(
      files.map((
        { path, contents },
      ) => [basename(path), new Uint8Array(contents)]),
    ),
    sources: new Set(
      sources.map((path) => fileURLToPath(new URL(path, `file://${project.root}/`))),
    ),
  };
}

/** Resolves the imports of the project's own modules as Deno does; packages are left to esbuild. */
function resolveBy(importMap: ImportMap): esbuild.Plugin {
  return {
    name: "import-map",
    setup({ onResolve, resolve }) {
      onResolve(
        { filter: /^[^./]/ },
        ({ path, importer, kind, pluginData }) => {
          const isOurs = kind !== "entry-point" &&
            !importer.includes("/node_modules/");
          if (!isOurs || pluginData?.isMapped) return undefined;
          const mapped = importMap.resolve(path);
          if (mapped.startsWith("/")) return { path: mapped };
          return resolve(mapped, {
            kind,
            resolveDir: importMap.folder,
            pluginData: { isMapped: true },
          });
        },
      );
    },
  };
}
