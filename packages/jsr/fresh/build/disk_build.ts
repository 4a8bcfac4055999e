import { dirname, join, relative } from "node:path";
import type { SnapshotFile } from "../internal.ts";
import { scriptPath, surroundsRoutes } from "../server/build.ts";
import type { Bundle } from "./bundle.ts";
import { newBuildId } from "./build_id.ts";
import { digest } from "./digest.ts";
import { mediaType } from "./media_type.ts";
import type { Project } from "./options.ts";
import type { ProjectFiles } from "./project_files.ts";

/**
 * Writes a build for production:
 *
 * - `static/` gets the scripts and the style sheets, at the paths that they are served at; other static
 *   files are served from the project's own `static/`, and files of earlier builds stay
 * - `snapshot.js` imports the routes and islands and lists the files that are served
 * - `server.js` exports `{ fetch }`, as `deno serve` wants it
 *
 * The project's own modules are not run.
 */
export async function writeBuild(
  project: Project,
  files: ProjectFiles,
  bundle: Bundle,
): Promise<void> {
  const id = newBuildId("production");
  const served = new Map<string, SnapshotFile>();
  const serve = (path: string, file: string, content: Uint8Array) =>
    served.set(path, {
      hash: digest(content),
      filePath: relative(project.root, file),
      contentType: mediaType(path),
    });
  const writeAndServe = async (path: string, content: Uint8Array) => {
    const file = join(project.outDir, "static", path);
    await write(file, content);
    serve(path, file, content);
  };
  for (const [name, content] of bundle.scripts) {
    await writeAndServe(scriptPath(id, name.replace(/\.js$/, "")), content);
  }
  for (const [path, file] of [...files.statics].filter(([path]) => !isHidden(path))) {
    const content = await Deno.readFile(file);
    if (path.endsWith(".css")) await writeAndServe(path, content);
    else serve(path, file, content);
  }
  await write(join(project.outDir, "snapshot.js"), snapshotCode(project, files, id, served));
  await write(join(project.outDir, "server.js"), serverCode(project));
}

/** Whether a name in the path begins with a dot, unless that is `.well-known`. */
function isHidden(path: string): boolean {
  return /\/\.(?!well-known)/.test(path);
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
  served: ReadonlyMap<string, SnapshotFile>,
): string {
  const specifier = (file: string) => JSON.stringify(specifierFrom(project.outDir, file));
  const routes = [...files.routes];
  const islands = [...files.islands];
  const atStart = routes.filter(([path]) => surroundsRoutes(path));
  const moduleOf = (path: string, file: string) =>
    surroundsRoutes(path)
      ? `route${atStart.findIndex(([each]) => each === path)}`
      : `() => import(${specifier(file)})`;
  return [
    ...atStart.map(([, file], index) => `import * as route${index} from ${specifier(file)};`),
    ...islands.map(([, file], index) => `import * as island${index} from ${specifier(file)};`),
    `export const version = ${JSON.stringify(id)};`,
    "export const routes = [",
    ...routes.map(([path, file]) => `  [${JSON.stringify(path)}, ${moduleOf(path, file)}],`),
    "];",
    "export const islands = [",
    ...islands.map(([name], index) => `  [${JSON.stringify(name)}, island${index}],`),
    "];",
    "export const staticFiles = new Map([",
    ...[...served].map((entry) => `  ${JSON.stringify(entry)},`),
    "]);",
    "",
  ].join("\n");
}

function serverCode(project: Project): string {
  const entry = JSON.stringify(specifierFrom(project.outDir, project.serverEntry));
  const root = JSON.stringify(relative(project.outDir, project.root));
  return `import { join } from "node:path";
import { applySnapshot } from "fresh/internal";
import { app } from ${entry};
import * as snapshot from "./snapshot.js";

applySnapshot(app, join(import.meta.dirname, ${root}), snapshot);

export default { fetch: app.handler() };
`;
}

function specifierFrom(folder: string, target: string): string {
  const path = relative(folder, target);
  return path.startsWith(".") ? path : "./" + path;
}
