import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type Build,
  type Module,
  type RouteFile,
  scriptPath,
  type StaticFile,
  surroundsRoutes,
} from "../server/build.ts";
import type { Mode } from "../server/config.ts";
import { islandOf } from "./island.ts";
import type { Bundle } from "./bundle.ts";
import { newBuildId } from "./build_id.ts";
import { digest } from "./digest.ts";
import { mediaType } from "./media_type.ts";
import type { Project } from "./options.ts";
import type { ProjectFiles } from "./project_files.ts";

/** A build that lives in this process: for development and tests. */
export async function memoryBuild(
  project: Project,
  files: ProjectFiles,
  bundle: Bundle,
  mode: Mode,
): Promise<Build> {
  const id = newBuildId(mode);
  const served = new Map([...servedStatics(files), ...servedScripts(id, bundle)]);
  return {
    id,
    mode,
    root: project.root,
    routes: await Promise.all([...files.routes].map(importRoute)),
    islands: await Promise.all(
      [...files.islands].map(async ([name, file]) => islandOf(name, await importModule(file))),
    ),
    staticFile: (path) => served.get(path),
  };
}

function servedStatics({ statics }: ProjectFiles): [string, StaticFile][] {
  return [...statics].map(([path, file]) => [path, {
    contentType: mediaType(path),
    hash: null,
    read: () => Deno.readFile(file),
  }]);
}

function servedScripts(id: string, { scripts }: Bundle): [string, StaticFile][] {
  return [...scripts].map(([name, content]) => [scriptPath(id, name.replace(/\.js$/, "")), {
    contentType: mediaType(name),
    hash: digest(content),
    read: () => Promise.resolve(content),
  }]);
}

async function importRoute([path, file]: [string, string]): Promise<RouteFile> {
  const load = () => importModule(file);
  return { path, module: surroundsRoutes(path) ? await load() : load };
}

function importModule(file: string): Promise<Module> {
  return import(pathToFileURL(resolve(file)).href);
}
