import { dirname, join, relative } from "node:path/posix";

/** A module's path below the root, or the specifier of a package. */
export type ModuleName = string;

/** Statements that load a module; `import type` loads none. */
const statement = /^(?:import|export)\s(?!type\b)(?:[^"';]*?\sfrom\s)?"([^"]+)"/gm;
const dynamicImport = /\bimport\(\s*"([^"]+)"\s*\)/g;
/** A program that is started from its file. */
const startedFile = /\bnew URL\(\s*"([^"]+\.tsx?)",\s*import\.meta\.url/g;

const testFile = /_test\.tsx?$/;

/** Which modules load which, of a project's folder. Programs that a module starts count as loaded. */
export class ImportGraph {
  readonly #root: string;
  readonly #sources = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The code of a module; empty for a package and for a file that is not there, or is no code. */
  source(name: ModuleName): string {
    let source = this.#sources.get(name);
    if (source === undefined) {
      source = /\.tsx?$/.test(name) ? readOrEmpty(join(this.#root, name)) : "";
      this.#sources.set(name, source);
    }
    return source;
  }

  /** What a module loads itself. */
  loadedBy(name: ModuleName): ModuleName[] {
    const source = this.source(name);
    const specifiers = [statement, dynamicImport, startedFile].flatMap((pattern) =>
      [...source.matchAll(pattern)].map(([, specifier]) => specifier)
    );
    return [...new Set(specifiers)].map((specifier) => {
      if (specifier.startsWith("@/")) return specifier.slice(2);
      return /^\.|\.tsx?$/.test(specifier) ? join(dirname(name), specifier) : specifier;
    });
  }

  /** All that is loaded when a module is, itself included. */
  reachedFrom(name: ModuleName): Set<ModuleName> {
    const reached = new Set([name]);
    for (const each of reached) {
      for (const loaded of this.loadedBy(each)) reached.add(loaded);
    }
    return reached;
  }
}

/** Whether a module is a test's, or a tool's that tests use; this tool's own tables are neither. */
export function isOfTests(name: ModuleName): boolean {
  return /^(tests|tools)\//.test(name) && !name.startsWith("tools/test/");
}

/**
 * The test files at and below a path of the project.
 *
 * @throws {Deno.errors.NotFound} when there is nothing at the path.
 */
export function testFiles(root: string, path: string): string[] {
  const full = join(root, path);
  if (Deno.statSync(full).isFile) return [relative(root, full)];
  return [...Deno.readDirSync(full)].map(({ name }) => name).sort().flatMap((name) => {
    const inside = join(path, name);
    if (Deno.statSync(join(root, inside)).isDirectory) return testFiles(root, inside);
    return testFile.test(name) ? [relative(root, join(root, inside))] : [];
  });
}

function readOrEmpty(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
