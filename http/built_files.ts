import { join } from "node:path";
import { z } from "zod";
import { commitFile } from "@/server/observability/commit.ts";

/** The script of site tags, as the build makes it, below the project's folder. */
export const siteScriptFile = "_fresh/site_tag.js";

/** The documents, as the build makes them, below the project's folder. */
export const docsFile = "_fresh/docs.json";

/** What the build writes of its files for browsers, below the project's folder. */
export const browserFilesList = "_fresh/browser_files.json";

/** What the build writes beside the pages and the program reads, below the project's folder. */
export const builtFiles = [siteScriptFile, docsFile, browserFilesList, commitFile];

const schema = z.object({
  /** The files with a static file's content in each coding, below the project's folder, by its path. */
  compressed: z.record(z.string(), z.object({ br: z.string(), gzip: z.string() })),
  /**
   * The paths of the scripts that nearly every page needs for its live number, and that a browser would
   * otherwise find only in the scripts before them, one after the other.
   */
  preloaded: z.array(z.string()),
});

/** What the build says of its files for browsers. */
export type BrowserFiles = z.infer<typeof schema>;

/**
 * Reads what the build says of its files.
 *
 * @param root the project's folder.
 * @returns empty lists when no build wrote it, as during development.
 */
export async function readBrowserFiles(root: string): Promise<BrowserFiles> {
  try {
    return schema.parse(JSON.parse(await Deno.readTextFile(join(root, browserFilesList))));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { compressed: {}, preloaded: [] };
    throw error;
  }
}

let cachedFiles: Promise<BrowserFiles> | undefined;

/** What the build that is served says of its files. */
export function browserFiles(
  { root, mode }: { root: string; mode: string },
): BrowserFiles | Promise<BrowserFiles> {
  if (mode === "development") return { compressed: {}, preloaded: [] };
  return cachedFiles ??= readBrowserFiles(root);
}
