import type { FunctionComponent } from "preact";
import type { Mode } from "./config.ts";

/** A file below `static/` or a script for the browser, ready to be sent. */
export interface StaticFile {
  contentType: string;
  /** A digest of the content; null when it is not known before the content is read. */
  hash: string | null;
  read(): Promise<Uint8Array<ArrayBuffer>>;
}

/** What a module exports. */
export type Module = Record<string, unknown>;

/** A file below `routes/`. */
export interface RouteFile {
  /** Its path there, such as "users/[id].tsx". */
  path: string;
  /** What it exports; of a route, what imports it at the first request. */
  module: Module | (() => Promise<Module>);
}

/** Whether a file surrounds routes, such as "_app.tsx", and is therefore imported at the start. */
export function surroundsRoutes(path: string): boolean {
  return /(^|\/)_[^/]*$/.test(path);
}

/** A component that comes alive in the browser. */
export interface Island {
  /** An identifier, unique in the build. */
  name: string;
  component: FunctionComponent<never>;
}

/** What the builder found and made; what an app needs beside its code. */
export interface Build {
  /** 40 hexadecimal digits; another one when any file for the browser has changed. */
  id: string;
  mode: Mode;
  root: string;
  routes: RouteFile[];
  islands: Island[];
  /** The file that is served at a path, which starts with "/". */
  staticFile(path: string): StaticFile | undefined;
}

/** The path, below the app's base path, that a build's script is served at. */
export function scriptPath(buildId: string, name: string): string {
  return `/_fresh/js/${buildId}/${name}.js`;
}
