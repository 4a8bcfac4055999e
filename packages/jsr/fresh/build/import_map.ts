import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** What a project's deno.json says about its imports and its JSX. */
export interface ImportMap {
  /** The folder of deno.json, which has node_modules beside it. */
  folder: string;
  jsxImportSource: string;
  /**
   * What a specifier of an import stands for: an absolute path, a package of node_modules, or the
   * specifier itself when the map does not have it. Throws for what cannot be bundled.
   */
  resolve(specifier: string): string;
}

type DenoJson = {
  imports?: Record<string, string>;
  compilerOptions?: { jsxImportSource?: string };
};

/** Reads the deno.json of the folder, or of the nearest one above it. */
export async function readImportMap(folder: string): Promise<ImportMap> {
  const { path, json } = await nearestDenoJson(folder);
  const imports = json.imports ?? {};
  return {
    folder: dirname(path),
    jsxImportSource: json.compilerOptions?.jsxImportSource ?? "preact",
    resolve: (specifier) => bundled(mapped(specifier, imports), dirname(path)),
  };
}

async function nearestDenoJson(folder: string): Promise<{ path: string; json: DenoJson }> {
  const path = resolve(folder, "deno.json");
  try {
    return { path, json: JSON.parse(await Deno.readTextFile(path)) };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    if (dirname(folder) === folder) {
      throw new Error("There is no deno.json in or above the project");
    }
    return await nearestDenoJson(dirname(folder));
  }
}

/** As Deno does it: the longest key wins, and a package's key stands for its subpaths too. */
function mapped(specifier: string, imports: Record<string, string>): string {
  const keys = Object.keys(imports).sort((a, b) => b.length - a.length);
  for (const key of keys) {
    if (specifier === key) return imports[key];
    const prefix = key.endsWith("/") ? key : key + "/";
    const mapsSubpaths = key.endsWith("/") || /^(npm|jsr):/.test(imports[key]);
    if (mapsSubpaths && specifier.startsWith(prefix)) {
      return imports[key].replace(/\/$/, "") + "/" +
        specifier.slice(prefix.length);
    }
  }
  return specifier;
}

function bundled(target: string, folder: string): string {
  if (/^\.\.?\//.test(target)) return resolve(folder, target);
  const npm = /^npm:\/?((?:@[^/]+\/)?[^@/]+)(?:@[^/]+)?(\/.*)?$/.exec(target);
  if (npm) return npm[1] + (npm[2] ?? "");
  if (/^jsr:\/?@fresh\/core(@[^/]*)?\/runtime$/.test(target)) {
    return fileURLToPath(new URL("../runtime.ts", import.meta.url));
  }
  if (/^jsr:\/?@fresh\/core(@[^/]*)?(\/|$)/.test(target)) {
    throw new Error(
      'Islands may import "fresh/runtime" only; the rest of Fresh runs on the server',
    );
  }
  if (/^(jsr|https?|node):/.test(target)) {
    throw new Error(
      `Islands may not import ${target}: this shim for Fresh bundles npm packages`,
    );
  }
  return target;
}
