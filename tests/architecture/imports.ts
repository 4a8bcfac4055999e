import { dirname, join, normalize } from "node:path/posix";

/** One file of the program that imports another. Paths are relative to the project's folder. */
export interface Import {
  from: string;
  to: string;
  /** Whether nothing of it is left at run time. */
  typeOnly: boolean;
  /** Whether it is loaded with the file, and not only when the file asks for it. */
  isStatic: boolean;
}

const statement =
  /^(?:import|export) (?<type>type )?(?<names>[^;"]*?)from "(?<from>[.@]\.?\/[^"]+|\.\.\/[^"]+)"|^import "(?<bare>[.@]\.?\/[^"]+)"|\bimport\("(?<dynamic>[.@]\.?\/[^"]+)"\)/gm;

/** The TypeScript files at and below paths of the project, sorted. */
export function codeFiles(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (!Deno.statSync(path).isDirectory) return /\.tsx?$/.test(path) ? [path] : [];
    return codeFiles([...Deno.readDirSync(path)].map(({ name }) => join(path, name)));
  }).sort();
}

/** Every import between some files; the text of each is read. */
export function readImports(files: readonly string[]): Import[] {
  const known = new Set(files);
  return files.flatMap((file) =>
    importsOf(file, Deno.readTextFileSync(file)).filter(({ to }) => known.has(to))
  );
}

/** The imports of other files of the project that a file's text states; `deno fmt` gives each one form. */
export function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(statement)].map(({ groups = {} }) => {
    const specifier = groups.from ?? groups.bare ?? groups.dynamic;
    return {
      from: file,
      to: specifier.startsWith("@/")
        ? specifier.slice(2)
        : normalize(join(dirname(file), specifier)),
      typeOnly: groups.type !== undefined || onlyTypes(groups.names),
      isStatic: groups.dynamic === undefined,
    };
  });
}

/** Whether a list such as `{ type A, type B }` names nothing but types. */
function onlyTypes(names: string | undefined): boolean {
  const inBraces = names?.match(/^\{(?<list>[^}]*)\} $/)?.groups?.list;
  const each = inBraces?.split(",").map((name) => name.trim()).filter((name) => name !== "") ?? [];
  return each.length > 0 && each.every((name) => name.startsWith("type "));
}

/** The files that are loaded with some, these included. */
export function loadedWith(files: readonly string[], imports: readonly Import[]): Set<string> {
  const loaded = new Set(files);
  for (const file of loaded) {
    for (const { from, to, isStatic, typeOnly } of imports) {
      if (from === file && isStatic && !typeOnly) loaded.add(to);
    }
  }
  return loaded;
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
