import { resolve } from "node:path";

/** Where a project keeps its files, and for which browsers it is built. Paths are relative to `root`. */
export interface BuilderOptions {
  /** The project's folder; the current one unless given. */
  root?: string;
  /** Where a build for production is written; "_fresh". */
  outDir?: string;
  /** "static" */
  staticDir?: string | string[];
  /** "islands" */
  islandDir?: string;
  /** "routes" */
  routeDir?: string;
  /** The module that exports `app`; "main.ts". */
  serverEntry?: string;
  /** What the scripts must run on, in esbuild's words; "es2022". */
  target?: string | string[];
  /** Files below the folders that are neither routes nor islands. */
  ignore?: RegExp[];
}

/** The options with absolute paths and nothing missing. */
export interface Project {
  root: string;
  outDir: string;
  staticDirs: string[];
  islandDir: string;
  routeDir: string;
  serverEntry: string;
  target: string | string[];
  ignore: RegExp[];
}

/** Fills in what is not given. Throws when a build would replace the project itself. */
export function projectOf(options: BuilderOptions): Project {
  const root = resolve(options.root ?? Deno.cwd());
  const outDir = resolve(root, options.outDir ?? "_fresh");
  if (`${root}/`.startsWith(`${outDir}/`)) {
    throw new Error(`outDir must not hold the project, as its content is replaced: ${outDir}`);
  }
  return {
    root,
    outDir,
    staticDirs: [options.staticDir ?? "static"].flat().map((folder) => resolve(root, folder)),
    islandDir: resolve(root, options.islandDir ?? "islands"),
    routeDir: resolve(root, options.routeDir ?? "routes"),
    serverEntry: resolve(root, options.serverEntry ?? "main.ts"),
    target: options.target ?? "es2022",
    ignore: [/[._]test\.[a-z]+$/, ...options.ignore ?? []],
  };
}
