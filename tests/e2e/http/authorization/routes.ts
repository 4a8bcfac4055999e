import { join, relative, sep } from "node:path";

const folder = join(import.meta.dirname ?? "", "../../../../routes");

/** Every route that has a file, with its methods, such as `GET /admin/people/[id]`. */
export async function routesOfFiles(): Promise<string[]> {
  const routes: string[] = [];
  for await (const file of filesIn(folder)) {
    const path = relative(folder, file).replaceAll(sep, "/").replace(/\.tsx?$/, "");
    if (path.split("/").at(-1)?.startsWith("_")) continue;
    const address = "/" + path.replace(/(^|\/)index$/, "");
    for (const method of await methodsOf(file)) routes.push(`${method} ${address}`);
  }
  return routes.sort();
}

async function* filesIn(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* filesIn(path);
    else yield path;
  }
}

/** The methods that a route's file handles; a page without a handler is for GET. */
async function methodsOf(file: string): Promise<string[]> {
  const { handler } = await import(file);
  if (handler === undefined) return ["GET"];
  return typeof handler === "function" ? ["ALL"] : Object.keys(handler);
}
