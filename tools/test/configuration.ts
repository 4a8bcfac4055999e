import { join } from "node:path/posix";

/**
 * The flag with which Deno finds the packages that only tests and tools import. They are apart, so that
 * who starts Rollcall installs a quarter of the packages.
 */
export const testConfiguration = "--config=deno.dev.json";

/**
 * Says that the packages are installed already: without the flag, each run takes 0.5 s of CPU to check
 * that, and prints a line when it waits for another.
 */
export const installedFlag = "--node-modules-dir=manual";

/** How tests run a program that may import what tests may. */
export const runFlags = ["run", testConfiguration, installedFlag];

/** The shims for packages of JSR, as `deno.dev.json` links them. */
const links = ["./packages/jsr/fresh", "./packages/jsr/std_http", "./packages/jsr/std_testing"];

/** What is only about the shims. */
const folders = ["packages/jsr", "tests/jsr"];

/** The folders that are not checked and tested, as `deno.dev.json` does not link all shims. */
export function leftOutFolders(root: string): string[] {
  const manifest = JSON.parse(Deno.readTextFileSync(join(root, "deno.dev.json")));
  const linked: string[] = manifest.links ?? [];
  return links.every((link) => linked.includes(link)) ? [] : folders;
}

/** Whether a path of the project is in one of the folders. */
export function isBelow(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => `${path}/`.startsWith(`${folder}/`));
}

/** The modules, and folders with modules, that are all of a folder but what is left out. */
export function pathsWithout(leftOut: readonly string[], root: string, folder = ""): string[] {
  return [...Deno.readDirSync(join(root, folder))].flatMap(({ name, isDirectory }) => {
    const path = join(folder, name);
    if (name.startsWith(".") || isBelow(leftOut, path)) return [];
    if (!isDirectory) return /\.tsx?$/.test(name) ? [path] : [];
    return leftOut.some((each) => isBelow([path], each)) ? pathsWithout(leftOut, root, path) : path;
  }).sort();
}
