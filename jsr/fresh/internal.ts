/**
 * What the code that a build writes needs. Nothing else imports this.
 *
 * @module
 */
import { islandOf } from "./build/island.ts";
import type { App } from "./server/app.ts";
import type { StaticFile } from "./server/build.ts";

type Module = Record<string, unknown>;

/** What the builder writes to `snapshot.js`. */
export interface Snapshot {
  id: string;
  root: URL;
  /** The folder that the statics are below. */
  client: URL;
  routes: [path: string, module: Module][];
  islands: [name: string, module: Module][];
  /** By the path that they are served at. */
  statics: Record<string, [hash: string, contentType: string]>;
}

/** Gives an app the build that was written. */
export function applySnapshot<State>(app: App<State>, snapshot: Snapshot): void {
  const served = new Map<string, StaticFile>(
    Object.entries(snapshot.statics).map(([path, [hash, contentType]]) => {
      const file = new URL(
        snapshot.client.href +
          path.slice(1).split("/").map(encodeURIComponent).join("/"),
      );
      return [path, { hash, contentType, read: () => Deno.readFile(file) }];
    }),
  );
  app.applyBuild({
    id: snapshot.id,
    mode: "production",
    root: snapshot.root.pathname,
    routes: snapshot.routes.map(([path, module]) => ({ path, module })),
    islands: snapshot.islands.map(([name, module]) => islandOf(name, module)),
    staticFile: (path) => served.get(path),
  });
}
