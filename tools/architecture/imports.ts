/**
 * The imports between the files of the program, read from their text: `deno fmt` gives every import
 * and re-export one form.
 *
 * @module
 */
import { dirname, join, normalize } from "node:path/posix";
import { fileURLToPath } from "node:url";

/** One file of the program that imports another. Paths are relative to the project's folder. */
export interface Import {
  from: string;
  to: string;
  /** Whether nothing of it is left at run time. */
  typeOnly: boolean;
}

/** The project's folder, with a slash at its end. */
export const project = fileURLToPath(new URL("../../", import.meta.url));

/** Folders that are not the program: its tests, its tools, what is built or installed. */
const otherFolders = new Set([
  ...["_fresh", "data", "deploy", "dist", "docs", "jsr", "node_modules", "packaging"],
  ...["screenshots", "static", "tests", "tools"],
]);

const statement =
  /^(?:import|export) (?<type>type )?(?<names>[^;"]*?)from "(?<from>\.[^"]+)"|^import "(?<bare>\.[^"]+)"|\bimport\("(?<dynamic>\.[^"]+)"\)/gm;

/** The TypeScript files of the program, sorted. */
export function programFiles(folder = ""): string[] {
  const entries = [...Deno.readDirSync(project + folder)].map(({ name, isDirectory }) => {
    const path = join(folder, name);
    if (isDirectory) {
      return otherFolders.has(path) || name.startsWith(".") ? [] : programFiles(path);
    }
    return /\.tsx?$/.test(name) ? [path] : [];
  });
  return entries.flat().sort();
}

/** Every import between files of the program. */
export function readImports(files: readonly string[] = programFiles()): Import[] {
  const known = new Set(files);
  return files.flatMap((file) =>
    importsOf(file, Deno.readTextFileSync(project + file)).filter(({ to }) => known.has(to))
  );
}

/** The relative imports of a file's text. */
export function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(statement)].map(({ groups = {} }) => {
    const specifier = groups.from ?? groups.bare ?? groups.dynamic;
    return {
      from: file,
      to: normalize(join(dirname(file), specifier)),
      typeOnly: groups.type !== undefined || onlyTypes(groups.names),
    };
  });
}

/** Whether a list such as `{ type A, type B }` names nothing but types. */
function onlyTypes(names: string | undefined): boolean {
  const inBraces = names?.match(/^\{(?<list>[^}]*)\} $/)?.groups?.list;
  const each = inBraces?.split(",").map((name) => name.trim()).filter((name) => name !== "") ?? [];
  return each.length > 0 && each.every((name) => name.startsWith("type "));
}

/** A cycle of files that import one another at run time, or null when there is none. */
export function findCycle(imports: readonly Import[]): string[] | null {
  const next = new Map<string, string[]>();
  for (const { from, to, typeOnly } of imports) {
    if (!typeOnly) next.set(from, [...next.get(from) ?? [], to]);
  }
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return null;
    path.push(file);
    for (const imported of next.get(file) ?? []) {
      const cycle = visit(imported);
      if (cycle) return cycle;
    }
    path.pop();
    done.add(file);
    return null;
  };
  for (const file of next.keys()) {
    const cycle = visit(file);
    if (cycle) return cycle;
  }
  return null;
}
