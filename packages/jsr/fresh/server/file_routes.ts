import { type Module, type RouteFile, surroundsRoutes } from "./build.ts";
import type { RouteHandler } from "./handlers.ts";
import type { Middleware } from "./middleware.ts";
import type { PageComponent } from "./page.ts";
import type { Route } from "./route.ts";
import type { RouteTree } from "./route_tree.ts";

/** Files of these names surround the routes of their folder and those below. */
const surrounding = ["_app", "_middleware"];

/** Adds the routes and what surrounds them, from the files below `routes/`. */
export function addFileRoutes<State>(
  tree: RouteTree<State>,
  files: readonly RouteFile[],
): void {
  const parsed = files.map(parse);
  for (const file of parsed) {
    if (isSurrounding(file)) addSurrounding(tree, file);
  }
  const routes = parsed.filter((file) => !isSurrounding(file)).sort(moreSpecificFirst);
  for (const { pattern, file: { path, module } } of routes) {
    const load = typeof module === "function" ? module : () => Promise.resolve(module);
    tree.addRoute(pattern, async () => routeOf<State>(path, await load()));
  }
}

interface ParsedFile {
  /** The name without its ending, such as "index" or "_app". */
  name: string;
  /** The path of the folder, as a pattern. */
  folder: string;
  /** The path that the file answers at. */
  pattern: string;
  file: RouteFile;
}

function parse(file: RouteFile): ParsedFile {
  const names = file.path.replace(/\.[^./]+$/, "").split("/");
  const name = names.pop()!;
  if (name.startsWith("_") && !surrounding.includes(name)) {
    throw new Error(`routes/${file.path}: files named ${name} are left out of this shim`);
  }
  const folder = names.map((part) => "/" + segmentPattern(part, file.path)).join("");
  const last = name === "index" ? "" : "/" + segmentPattern(name, file.path);
  return { name, folder: folder || "/", pattern: folder + last || "/", file };
}

/** "[id]" is one segment, "[...rest]" is all that follow. */
function segmentPattern(name: string, path: string): string {
  if (/^\(|^\[\[/.test(name)) {
    throw new Error(`routes/${path}: groups and optional parameters are left out of this shim`);
  }
  return name.replace(/^\[\.\.\.(\w+)\]$/, ":$1*").replace(/\[(\w+)\]/g, ":$1");
}

function isSurrounding({ file }: ParsedFile): boolean {
  return surroundsRoutes(file.path);
}

/** A fixed segment comes before a parameter, that before a rest. */
function moreSpecificFirst(a: ParsedFile, b: ParsedFile): number {
  const [left, right] = [a.pattern.split("/"), b.pattern.split("/")];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = generality(left[i]) - generality(right[i]);
    if (difference !== 0) return difference;
    // A total order: with some that are alike, which of two comes first would depend on a third.
    if (left[i] !== right[i]) return left[i] < right[i] ? -1 : 1;
  }
  return left.length - right.length;
}

function generality(segment: string): number {
  if (!segment.includes(":")) return 0;
  return segment.endsWith("*") ? 2 : 1;
}

function addSurrounding<State>(tree: RouteTree<State>, { name, folder, file }: ParsedFile): void {
  const segment = tree.segments.at(folder);
  const module = file.module as Module;
  const { default: exported, handler } = module;
  if (name === "_middleware") {
    segment.middleware.push(...middlewareOf<State>(file.path, module));
  } else if (typeof exported !== "function" || handler !== undefined) {
    throw new TypeError(`routes/${file.path} must export a component as default and no handler`);
  } else {
    segment.app = exported as PageComponent<unknown, State>;
  }
}

function middlewareOf<State>(path: string, module: Module): Middleware<State>[] {
  const exported = [module.default ?? module.handler ?? module.middleware]
    .flat();
  if (!exported.every((middleware) => typeof middleware === "function")) {
    throw new TypeError(`routes/${path} must export middleware, or an array of it, as default`);
  }
  return exported as Middleware<State>[];
}

function routeOf<State>(path: string, module: Module): Route<State> {
  if (module.config !== undefined) {
    throw new Error(`routes/${path}: the config of a route is left out of this shim`);
  }
  const component = module.default as
    | PageComponent<never, State>
    | undefined;
  const handler = (module.handler ?? module.handlers) as RouteHandler<
    unknown,
    State
  >;
  if (component === undefined && handler === undefined) {
    throw new TypeError(`routes/${path} must export a handler, or a component as default`);
  }
  return { component, handler };
}
