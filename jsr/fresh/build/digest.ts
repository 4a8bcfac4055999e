import { createHash } from "node:crypto";

/** 40 hexadecimal digits that are another when the content is. */
export function digest(...content: (string | Uint8Array)[]): string {
  const hash = createHash("sha1");
  for (const part of content) hash.update(part);
  return hash.digest("hex");
}

/** The name of a build: a digest of all that browsers get from it. */
export async function buildId(
  scripts: ReadonlyMap<string, Uint8Array>,
  statics: ReadonlyMap<string, string>,
): Promise<string> {
  const parts: (string | Uint8Array)[] = [];
  for (const [name, content] of scripts) parts.push(name, content);
  for (const [path, file] of statics) {
    parts.push(path, await Deno.readFile(file));
  }
  return digest(...parts);
}
