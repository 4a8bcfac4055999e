import { basename, relative, resolve } from "node:path";
import type { Project } from "./options.ts";

/** The files of a project that a build is made of. */
export interface ProjectFiles {
  /** Absolute paths of the route files, by their path below `routes/`. */
  routes: Map<string, string>;
  /** Absolute paths of the islands, by name. */
  islands: Map<string, string>;
  /** Absolute paths of the static files, by the path that they are served at. */
  statics: Map<string, string>;
}

/** Finds the files; folders that do not exist count as empty. */
export async function findProjectFiles(project: Project): Promise<ProjectFiles> {
  const islands = await modulesBelow(project.islandDir);
  const routes = await modulesBelow(project.routeDir);
  return {
    routes: new Map(routes.map((file) => [relative(project.routeDir, file), file])),
    islands: namedIslands(islands),
    statics: new Map(await staticFilesOf(project.staticDir)),
  };
}

async function modulesBelow(folder: string): Promise<string[]> {
  const files = await filesBelow(folder);
  return files.filter((file) =>
    /\.(tsx?|jsx?|mjs|mts)$/.test(file) && !/[._]test\.[a-z]+$/.test(file)
  );
}

async function staticFilesOf(folder: string): Promise<[path: string, file: string][]> {
  return (await filesBelow(folder)).map((file) => ["/" + relative(folder, file), file]);
}

/** Sorted, so that the same files make the same build everywhere. */
async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await entriesOf(folder)) {
    const path = resolve(folder, entry.name);
    if (entry.isDirectory) files.push(...await filesBelow(path));
    else files.push(path);
  }
  return files.sort();
}

async function entriesOf(folder: string): Promise<Deno.DirEntry[]> {
  try {
    return await Array.fromAsync(Deno.readDir(folder));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** An island's name is its file's, as far as an identifier may be, with a number where two are alike. */
function namedIslands(files: readonly string[]): Map<string, string> {
  const islands = new Map<string, string>();
  for (const file of files) {
    const name = basename(file).replace(/\.[^.]+$/, "").replace(/\W|^(?=\d)/g, "_");
    let unique = name;
    for (let number = 1; islands.has(unique); number++) {
      unique = `${name}_${number}`;
    }
    islands.set(unique, file);
  }
  return islands;
}
