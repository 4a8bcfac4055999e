import { resolve } from "node:path";

/** Where a project is, and for which browsers it is built. Paths are relative to `root`. */
export interface BuilderOptions {
  /** The project's folder; the current one unless given. */
  root?: string;
  /** Where a build for production is written; "_fresh". */
  outDir?: string;
  /** What the scripts must run on, in esbuild's words; "es2022". */
  target?: string | string[];
}

/** The options with absolute paths and nothing missing. */
export interface Project {
  root: string;
  outDir: string;
  staticDir: string;
  islandDir: string;
  routeDir: string;
  /** The module that exports `app`. */
  serverEntry: string;
  target: string | string[];
}

/** Fills in what is not given. */
export function projectOf(options: BuilderOptions): Project {
  const root = resolve(options.root ?? Deno.cwd());
  const outDir = resolve(root, options.outDir ?? "_fresh");
  return {
    root,
    outDir,
    staticDir: resolve(root, "static"),
    islandDir: resolve(root, "islands"),
    routeDir: resolve(root, "routes"),
    serverEntry: resolve(root, "main.ts"),
    target: options.target ?? "es2022",
  };
}
