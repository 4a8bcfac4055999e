import { dirname } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { type BrowserFiles, browserFilesList } from "@/http/built_files.ts";

/** The scripts, by their names before the build, that nearly every page needs for its live number. */
const wanted = /\/(UsersCount|Messages|Markup|presence_connection|message_connection)(-\w+)?\.js$/;

/** Fresh preloads islands by itself. */
const island = /\/[A-Z]\w*\.js$/;

/**
 * The paths of the scripts that the pages of a build should preload: what the live number needs, and
 * what they import.
 *
 * @param scripts their texts, as the bundler writes them, by path.
 */
export function preloadedScripts(scripts: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>();
  const add = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    for (const imported of importsOf(path, scripts.get(path) ?? "")) add(imported);
  };
  for (const path of scripts.keys()) if (wanted.test(path)) add(path);
  return [...found].filter((path) => scripts.has(path) && !island.test(path)).sort();
}

function importsOf(path: string, script: string): string[] {
  const imports = script.matchAll(/(?:\bimport|\bfrom) *"(\.\/[^"]+\.js)"/g);
  return [...imports].map(([, file]) => new URL(file, `http://localhost${path}`).pathname);
}

/**
 * Where Fresh writes the files that it makes for browsers, by the paths that they are served at; others stay in
 * `static/`.
 */
const folder = "_fresh/static";

/** Below this many bytes, compression saves no packet of the network. */
const smallest = 512;

/**
 * Compresses the scripts, style sheets and texts of the build in the working folder, each into a file beside it
 * for each coding, so that the server needs no CPU time for it. Lists these files for the server, and what
 * pages preload.
 */
export async function finishBrowserFiles(): Promise<void> {
  const paths = builtPaths(await Deno.readTextFile("_fresh/snapshot.js"));
  const compressed: BrowserFiles["compressed"] = {};
  const scripts = new Map<string, string>();
  for (const path of paths) {
    const content = await Deno.readFile(folder + path)
      .catch(() => Deno.readFile(`static${path}`));
    if (path.endsWith(".js")) scripts.set(path, new TextDecoder().decode(content));
    if (content.byteLength < smallest) continue;
    const files = compressed[path] = { br: `${folder}${path}.br`, gzip: `${folder}${path}.gz` };
    await Deno.mkdir(dirname(files.br), { recursive: true });
    await Deno.writeFile(files.br, brotliCompressSync(content, brotliOptions(content)));
    await Deno.writeFile(files.gzip, gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
  }
  const list: BrowserFiles = { compressed, preloaded: preloadedScripts(scripts) };
  await Deno.writeTextFile(browserFilesList, JSON.stringify(list));
}

/**
 * The paths of the files that a build has made and serves, of which earlier ones may have left more.
 *
 * @param snapshot the module in which the build lists them.
 */
export function builtPaths(snapshot: string): string[] {
  const paths = [...snapshot.matchAll(/^ *\["(\/[\w./-]+\.(?:js|css|json|md|txt))", *\{/gm)];
  if (paths.length === 0) throw new Error("_fresh/snapshot.js lists no scripts and style sheets");
  return paths.map(([, path]) => path);
}

function brotliOptions(content: Uint8Array) {
  return {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
    },
  };
}
