import { createHash } from "node:crypto";

/** The files and folders that hold all that browsers get. */
export const browserSources = [
  "components",
  "islands",
  "packages",
  "shared",
  "static",
  "deno.json",
  "deno.lock",
  "dev.ts",
];

/**
 * An id for a build of the project in the working folder: another when anything has changed that browsers
 * get, and they keep files of a build for a year; the same for the same sources.
 */
export async function buildId(sources: readonly string[] = browserSources): Promise<string> {
  const hash = createHash("sha1");
  for (const source of sources) {
    for (const file of (await filesAt(source)).sort()) {
      hash.update(JSON.stringify(file)).update(await Deno.readFile(file));
    }
  }
  return hash.digest("hex");
}

async function filesAt(path: string): Promise<string[]> {
  const found = await Deno.stat(path).catch(() => null);
  if (!found?.isDirectory) return found ? [path] : [];
  const entries = await Array.fromAsync(Deno.readDir(path));
  return (await Promise.all(entries.map(({ name }) => filesAt(`${path}/${name}`)))).flat();
}
