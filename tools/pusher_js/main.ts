/**
 * Builds pusher-js for pages into `browser/connection/pusher_js.js`, from the source in its package and
 * with `runtime.js` in the place of its own: 12 KB of gzipped script instead of 19, because its published
 * builds contain the transports over HTTP for browsers without WebSocket. Run it when the version in
 * `deno.json` changes.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import deno from "../../deno.json" with { type: "json" };
import { builtVersion } from "./built_version.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const version = deno.imports["pusher-js"].split("@").at(-1)!;

// Of `pusher.ts` and `pusher.js` in one folder, esbuild takes the second where the path has `node_modules`.
const folder = await Deno.makeTempDir();
await Deno.symlink(path("../../node_modules/pusher-js"), `${folder}/pusher-js`);
const source = `${folder}/pusher-js/src`;

const { success } = await new Deno.Command(Deno.execPath(), {
  args: [
    ...["run", "--quiet", "--allow-all", "--no-config", "npm:esbuild@0.28.2"],
    `${source}/core/pusher.ts`,
    ...["--bundle", "--minify", "--line-limit=100", "--format=esm", "--target=es2022"],
    "--preserve-symlinks",
    `--alias:pusher-js=${folder}/pusher-js`,
    `--alias:runtime=${path("runtime.js")}`,
    `--alias:core=${source}/core`,
    ...["base64", "utf8"].map((name) => `--alias:@stablelib/${name}=${path("no_encryption.js")}`),
    "--define:global=globalThis",
    `--define:VERSION=${JSON.stringify(version)}`,
    ...["CDN_HTTP", "CDN_HTTPS", "DEPENDENCY_SUFFIX"].map((name) => `--define:${name}=""`),
    `--banner:js=${builtVersion(version)}`,
    `--outfile=${path("../../browser/connection/pusher_js.js")}`,
  ],
}).output();
await Deno.remove(folder, { recursive: true });
if (!success) Deno.exit(1);
