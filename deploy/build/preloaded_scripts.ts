/** The scripts, by their names before the build, that nearly every page needs for its live number. */
const wanted = /\/(UsersCount|Messages|Markup|presence_connection|message_connection)(-\w+)?\.js$/;

/** Fresh preloads islands by itself. */
const island = /\/[A-Z]\w*\.js$/;

/**
 * The paths of the scripts that the pages of a build should preload: those that the live number needs, and
 * what they import.
 *
 * @param scripts their texts, as the bundler writes them, by path.
 */
export function preloadedScripts(scripts: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>();
  const add = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    for (const imported of importsOf(path, scripts.get(path) ?? "")) add(imported);
  };
  for (const path of scripts.keys()) if (wanted.test(path)) add(path);
  return [...found].filter((path) => scripts.has(path) && !island.test(path)).sort();
}

function importsOf(path: string, script: string): string[] {
  const imports = script.matchAll(/(?:\bimport|\bfrom) *"(\.\/[^"]+\.js)"/g);
  return [...imports].map(([, file]) => new URL(file, `http://localhost${path}`).pathname);
}
