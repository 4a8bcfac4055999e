/**
 * What the code that a build writes needs. Nothing else imports this.
 *
 * @module
 */
import { join } from "node:path";
import { islandOf } from "./build/island.ts";
import type { App } from "./server/app.ts";
import type { Module, RouteFile, StaticFile } from "./server/build.ts";

/** What the builder writes to `snapshot.js`. */
export interface Snapshot {
  /** The build's id. */
  version: string;
  routes: [path: string, module: RouteFile["module"]][];
  islands: [name: string, module: Module][];
  /** By the path that they are served at. */
  staticFiles: Map<string, SnapshotFile>;
}

/** A file that browsers get. */
export interface SnapshotFile {
  hash: string;
  /** Below the project's folder. */
  filePath: string;
  contentType: string;
}

/** Gives an app the build that was written. `root` is the project's folder. */
export function applySnapshot<State>(app: App<State>, root: string, snapshot: Snapshot): void {
  const served = new Map<string, StaticFile>(
    [...snapshot.staticFiles].map(([path, { hash, contentType, filePath }]) =>
      [path, { hash, contentType, read: () => Deno.readFile(join(root, filePath)) }] as const
    ),
  );
  app.applyBuild({
    id: snapshot.version,
    mode: "production",
    root,
    routes: snapshot.routes.map(([path, module]) => ({ path, module })),
    islands: snapshot.islands.map(([name, module]) => islandOf(name, module)),
    staticFile: (path) => served.get(path),
  });
}
