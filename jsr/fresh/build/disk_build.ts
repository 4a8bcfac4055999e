import { dirname, join, relative } from "node:path";
import { scriptPath } from "../server/build.ts";
import type { Bundle } from "./bundle.ts";
import { buildId, digest } from "./digest.ts";
import { mediaType } from "./media_type.ts";
import type { Project } from "./options.ts";
import type { ProjectFiles } from "./project_files.ts";

/**
 * Writes a build for production:
 *
 * - `client/` holds every file that browsers get, at the path that it is served at
 * - `snapshot.js` imports the routes and islands and lists those files
 * - `server.js` exports `{ fetch }`, as `deno serve` wants it
 *
 * The project's own modules are not run.
 */
export async function writeBuild(
  project: Project,
  files: ProjectFiles,
  bundle: Bundle,
): Promise<void> {
  await removeIfThere(project.outDir);
  const id = await buildId(bundle.scripts, files.statics);
  const served = new Map<string, Uint8Array>();
  for (const [path, file] of files.statics) served.set(path, await Deno.readFile(file));
  for (const [name, content] of bundle.scripts) {
    served.set(scriptPath(id, name.replace(/\.js$/, "")), content);
  }
  for (const [path, content] of served) {
    await write(join(project.outDir, "client", path), content);
  }
  await write(join(project.outDir, "snapshot.js"), snapshotCode(project, files, id, served));
  await write(join(project.outDir, "server.js"), serverCode(project));
}

async function removeIfThere(folder: string): Promise<void> {
  try {
    await Deno.remove(folder, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

async function write(file: string, content: string | Uint8Array): Promise<void> {
  await Deno.mkdir(dirname(file), { recursive: true });
  if (typeof content === "string") await Deno.writeTextFile(file, content);
  else await Deno.writeFile(file, content);
}

function snapshotCode(
  project: Project,
  files: ProjectFiles,
  id: string,
  served: ReadonlyMap<string, Uint8Array>,
): string {
  const specifier = (file: string) => JSON.stringify(specifierFrom(project.outDir, file));
  const routes = [...files.routes];
  const islands = [...files.islands];
  const statics = [...served].map(([path, content]) =>
    `    ${JSON.stringify(path)}: ["${digest(content)}", "${mediaType(path)}"],`
  );
  return [
    ...routes.map(([, file], index) => `import * as route${index} from ${specifier(file)};`),
    ...islands.map(([, file], index) => `import * as island${index} from ${specifier(file)};`),
    "export default {",
    `  id: ${JSON.stringify(id)},`,
    `  root: new URL(${specifier(project.root)}, import.meta.url),`,
    `  client: new URL("./client/", import.meta.url),`,
    `  routes: [${routes.map(([path], i) => `[${JSON.stringify(path)}, route${i}]`).join(", ")}],`,
    `  islands: [${islands.map(([name], i) => `["${name}", island${i}]`).join(", ")}],`,
    "  statics: {",
    ...statics,
    "  },",
    "};",
    "",
  ].join("\n");
}

function serverCode(project: Project): string {
  return `import { applySnapshot } from "fresh/internal";
import { app } from ${JSON.stringify(specifierFrom(project.outDir, project.serverEntry))};
import snapshot from "./snapshot.js";

applySnapshot(app, snapshot);

export default { fetch: app.handler() };
`;
}

function specifierFrom(folder: string, target: string): string {
  const path = relative(folder, target);
  return path.startsWith(".") ? path : "./" + path;
}
