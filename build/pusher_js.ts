import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type Plugin, stop } from "esbuild";
import deno from "../deno.json" with { type: "json" };

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The file that pages import; it is not in the repository. */
const builtFile = path("../browser/connection/pusher_js.js");

/** Of pusher-js, for the licence, and for the next build to see whether the file is up to date. */
const version = deno.imports["pusher-js"].split("@").at(-1)!;

/** What the built file is made from, besides pusher-js. */
const sources = ["pusher_js.ts", "pusher_js_runtime.js", "left_out.js"];

/**
 * Builds pusher-js for pages from the source in its package, with `pusher_js_runtime.js` in the place of
 * its own: 12 KB of gzipped script instead of 19, because its published builds contain the transports
 * over HTTP for browsers without WebSocket. Does nothing when the file is up to date.
 */
export async function buildPusherJs(): Promise<void> {
  const texts = await Promise.all(sources.map((file) => Deno.readTextFile(path(file))));
  const hash = hashOf(texts.join());
  const banner = `/*! pusher-js ${version} (https://pusher.com), MIT license; ${hash} */`;
  const before = await Deno.readTextFile(builtFile).catch(() => "");
  if (before.startsWith(banner)) return;
  // Of `pusher.ts` and `pusher.js` in one folder, esbuild takes the second where the path has `node_modules`.
  const folder = await Deno.makeTempDir();
  try {
    await Deno.symlink(path("../node_modules/pusher-js"), `${folder}/pusher-js`);
    const { outputFiles } = await build(optionsOf(`${folder}/pusher-js`, banner));
    const partial = `${builtFile}.${Deno.pid}`;
    await Deno.writeFile(partial, outputFiles[0].contents);
    await Deno.rename(partial, builtFile);
  } finally {
    // Its process would keep this one from ending.
    await stop();
    await Deno.remove(folder, { recursive: true });
  }
}

/** Replaces channels that are encrypted, and the links to Pusher's documents in its warnings. */
const leftOut: Plugin = {
  name: "left out",
  setup({ onResolve }) {
    const modules = { filter: /\/(encrypted_channel|url_store)$/ };
    onResolve(modules, () => ({ path: path("left_out.js") }));
  },
};

function optionsOf(source: string, banner: string): BuildOptions & { write: false } {
  return {
    entryPoints: [`${source}/src/core/pusher.ts`],
    bundle: true,
    write: false,
    minify: true,
    lineLimit: 100,
    format: "esm",
    target: "es2022",
    preserveSymlinks: true,
    alias: {
      "pusher-js": source,
      runtime: path("pusher_js_runtime.js"),
      core: `${source}/src/core`,
    },
    plugins: [leftOut],
    define: {
      global: "globalThis",
      VERSION: JSON.stringify(version),
      ...Object.fromEntries(
        ["CDN_HTTP", "CDN_HTTPS", "DEPENDENCY_SUFFIX"].map((name) => [name, '""']),
      ),
    },
    banner: { js: banner },
  };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
