/**
 * A shim for Fresh 2.3.3 on the server: what this app uses of it, and no more. See the README.
 *
 * @module
 */
export { App } from "./server/app.ts";
export type { FreshConfig, Mode, ResolvedFreshConfig } from "./server/config.ts";
export type { Context } from "./server/context.ts";
export { csp, type CSPOptions } from "./server/csp.ts";
export { createDefine, type Define } from "./server/define.ts";
export {
  type HandlerByMethod,
  type HandlerFn,
  type Method,
  page,
  type PageResponse,
  type RouteData,
  type RouteHandler,
} from "./server/handlers.ts";
export { HttpError } from "./server/http_error.ts";
export type { Middleware } from "./server/middleware.ts";
export type { PageProps } from "./server/page.ts";
export { staticFiles } from "./server/static_files.ts";

/** Tells this shim from the package, which has no such export. */
export const isShim = true;
