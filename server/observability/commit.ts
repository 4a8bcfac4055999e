/**
 * Which commit of the source runs, so that a report of a fault says more than a version does, which many
 * commits have. It is read once, at the start, and without the program `git`, which a container lacks: from
 * `.git` beside the source, or else from what a build wrote into `_fresh/`, which is all that a container and
 * an executable have.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { resolve } from "node:path";
import { version } from "@/shared/version.ts";

/** What a build writes of its commit, below the project's folder. */
export const commitFile = "_fresh/commit.txt";

/** The project's folder: a bundle is as deep in its own as this ring is here. */
const root = import.meta.url.includes("/server/observability/") ? "../.." : "..";

/** The short hash of a commit; null where the source has none, as in an archive. */
export const commit: string | null = commitIn(fileURLToPath(new URL(root, import.meta.url)));

/** The version and, where it is known, the commit, as people read them. */
export const versionText: string = commit === null ? version : `${version} (${commit})`;

/** The short hash of the commit of a folder with source, or with what was built of it. */
export function commitIn(folder: string): string | null {
  const hash = headOf(folder) ?? textOf(`${folder}/${commitFile}`);
  return hash !== null && /^[0-9a-f]{8,64}$/.test(hash) ? hash.slice(0, 8) : null;
}

/** Writes the commit of the project in the working folder for what is built of it. */
export async function writeCommit(): Promise<void> {
  await Deno.writeTextFile(commitFile, headOf(".") ?? "");
}

/** The hash of the commit that a repository's work tree is at. */
function headOf(folder: string): string | null {
  const git = gitFolder(folder);
  const [, reference, hash] = textOf(`${git}/HEAD`)?.match(/^(?:ref: (refs\/\S+)|(\w+))$/) ?? [];
  if (reference === undefined) return hash ?? null;
  // Worktrees share the branches of one repository.
  const shared = resolve(git, textOf(`${git}/commondir`) ?? ".");
  const packed = textOf(`${shared}/packed-refs`)?.split("\n")
    .find((line) => line.endsWith(` ${reference}`));
  return textOf(`${shared}/${reference}`) ?? packed?.split(" ")[0] ?? null;
}

/** A worktree, and a submodule, has a file that says where its folder is. */
function gitFolder(folder: string): string {
  const [, elsewhere] = textOf(`${folder}/.git`)?.match(/^gitdir: (.+)$/) ?? [];
  return elsewhere === undefined ? `${folder}/.git` : resolve(folder, elsewhere);
}

/** The text of a file without the space around it; null where no file can be read. */
function textOf(path: string): string | null {
  try {
    return Deno.readTextFileSync(path).trim();
  } catch {
    return null;
  }
}
