import type { ImportGraph, ModuleName } from "./import_graph.ts";

/** Code whose result depends on the date, the zone or the language; numbers are written in a language too. */
const dependent = /\bnew Date\((?!0\))|\bIntl\.|\.toLocale|\bDate\.parse\(/;

/**
 * Whether what a test runs depends on the date, on the zone or on the language of the machine. Tools do not
 * count: a unit test runs none of them on the program.
 */
export function dependsOnTime(test: ModuleName, graph: ImportGraph): boolean {
  return [...graph.reachedFrom(test)].some((name) =>
    !name.startsWith("tools/") && dependent.test(graph.source(name))
  );
}
