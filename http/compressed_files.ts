import { join } from "node:path";
import { z } from "zod";

/** What the build writes beside its other files, below the project's folder. */
export const compressedList = "_fresh/compressed.json";

/** The files with a static file's content in each coding, below the project's folder, by its path. */
const listSchema = z.record(z.string(), z.object({ br: z.string(), gzip: z.string() }));

/** @see {@link listSchema} */
export type CompressedFiles = z.infer<typeof listSchema>;

/**
 * The compressed files of the build that is served.
 *
 * @param root the project's folder.
 * @returns an empty list when the build made none, as during development.
 */
export async function readCompressedList(root: string): Promise<CompressedFiles> {
  try {
    return listSchema.parse(JSON.parse(await Deno.readTextFile(join(root, compressedList))));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw error;
  }
}
