import type { Island } from "../server/build.ts";

/** The island that a module exports; throws when it exports no component as default. */
export function islandOf(name: string, module: Record<string, unknown>): Island {
  if (typeof module.default !== "function") {
    throw new TypeError(
      `The island ${name} must export a component as default; modules that are no islands belong elsewhere`,
    );
  }
  return { name, component: module.default as Island["component"] };
}
