import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type Plugin, stop } from "esbuild";
import deno from "@/deno.json" with { type: "json" };

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The file that pages import; it is not in the repository. */
const builtFile = path("../../components/connection/pusher_js.js");

/** Of pusher-js, for the licence, and for the next build to see whether the file is up to date. */
const version = deno.imports["pusher-js"].split("@").at(-1)!;

/** Reports whether a tab is used: Rollcall's own pages run what the pages of others do. */
const reporter = "../../packages/client/src/report_activity.js";

/** What the built file is made from, besides pusher-js and Echo. */
const sources = [
  "pusher_js.ts",
  "pusher_js_runtime.js",
  "left_out.js",
  "silent_parts.js",
  reporter,
];

/**
 * Builds pusher-js and Echo for pages from the sources in their packages, pusher-js with
 * `pusher_js_runtime.js` in the place of its own: 13 KB of gzipped script instead of 22, because the
 * published builds contain the transports over HTTP for browsers without WebSocket and broadcasters
 * that pages do not use. The reporter of the client package is in the same file. Does nothing when the
 * file is up to date.
 */
export async function buildPusherJs(): Promise<void> {
  const texts = await Promise.all(sources.map((file) => Deno.readTextFile(path(file))));
  const hash = hashOf([...texts, logging.source, deno.imports["laravel-echo"]].join());
  const banner = `/*! pusher-js ${version} (https://pusher.com), MIT license; ${hash} */`;
  const before = await Deno.readTextFile(builtFile).catch(() => "");
  if (before.startsWith(banner)) return;
  // Of `pusher.ts` and `pusher.js` in one folder, esbuild takes the second where the path has `node_modules`.
  const folder = await Deno.makeTempDir();
  try {
    await Deno.symlink(path("../../node_modules/pusher-js"), `${folder}/pusher-js`);
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

/** Encrypted channels, other broadcasters, statistics, an earlier option, links to Pusher's documents. */
const leftOutModules = new RegExp(
  "/(encrypted_channel|url_store|timeline_sender|base64|deprecated_channel_authorizer)$|" +
    "/(socketio|null)-|pusher-encrypted",
);

/** What pusher-js logs: nothing, unless a page asks for it, as none of Rollcall does. */
const logging = /\bLogger\.(?:debug|warn|error)\([^;]*\);/g;

/** Replaces what pages have no use for. */
const leftOut: Plugin = {
  name: "left out",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: leftOutModules }, () => ({ path: path("left_out.js") }));
    onResolve({ filter: /\/(timeline|user)$/ }, () => ({ path: path("silent_parts.js") }));
    onLoad({ filter: /\/core\/.*\.ts$/ }, async ({ path }) => {
      const contents = await Deno.readTextFile(path);
      return { contents: contents.replace(logging, ""), loader: "ts" };
    });
  },
};

function optionsOf(source: string, banner: string): BuildOptions & { write: false } {
  return {
    stdin: {
      contents: `export { default } from "pusher-js/src/core/pusher.ts";
        export { default as Echo } from "${path("../../node_modules/laravel-echo/src/echo.ts")}";
        export { reportActivity } from "${path(reporter)}";`,
      resolveDir: path("."),
    },
    bundle: true,
    // As both packages are published: Echo sets fields in the constructor of a base class.
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
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
