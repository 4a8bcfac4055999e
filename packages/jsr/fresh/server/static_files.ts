import { cacheKeyParameter } from "../browser/asset.ts";
import type { Build, StaticFile } from "./build.ts";
import { type Context, internals } from "./context.ts";
import type { Middleware } from "./middleware.ts";

const never = "no-cache, no-store, max-age=0, must-revalidate";
const forAYear = "public, max-age=31536000, immutable";

/**
 * Serves the files of `static/` and the scripts of the islands. Files whose address names the build
 * are kept by browsers for a year; with the name of another build they are redirected to the present
 * one.
 */
export function staticFiles<State>(): Middleware<State> {
  return (ctx) => {
    const { build } = ctx[internals];
    const { basePath } = ctx.config;
    const path = ctx.url.pathname.startsWith(`${basePath}/`)
      ? ctx.url.pathname.slice(basePath.length)
      : "/";
    const file = build?.staticFile(path);
    if (build && file) return answer(ctx, build, file);
    // Browsers ask for it on their own; a page that says 404 would be work for nothing.
    if (path === "/favicon.ico") {
      return new Response(null, { status: 404 });
    }
    return ctx.next();
  };
}

function answer<State>(
  ctx: Context<State>,
  build: Build,
  file: StaticFile,
): Response | Promise<Response> {
  const { method } = ctx.req;
  if (method !== "GET" && method !== "HEAD") {
    return new Response("Method Not Allowed", { status: 405 });
  }
  const key = ctx.url.searchParams.get(cacheKeyParameter);
  if (key !== null && key !== build.id) return redirectToPresent(ctx.url);
  const headers = new Headers({ "content-type": file.contentType, vary: "If-None-Match" });
  if (file.hash !== null) headers.set("etag", `W/"${file.hash}"`);
  if (isFresh(ctx.req, file)) {
    return new Response(null, { status: 304, headers });
  }
  const immutable = key !== null ||
    ctx.url.pathname.startsWith(`${ctx.config.basePath}/_fresh/js/${build.id}/`);
  headers.set("cache-control", immutable ? forAYear : never);
  return withContent(file, headers);
}

function redirectToPresent(url: URL): Response {
  const target = new URL(url);
  target.searchParams.delete(cacheKeyParameter);
  const location = target.pathname + target.search;
  return new Response(null, {
    status: 307,
    headers: { location, "cache-control": never },
  });
}

/** Weak comparison of RFC 9110, section 8.8.3.2. */
function isFresh(request: Request, { hash }: StaticFile): boolean {
  const header = request.headers.get("if-none-match");
  if (header === null || hash === null) return false;
  return header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === `"${hash}"`);
}

async function withContent(file: StaticFile, headers: Headers): Promise<Response> {
  const content = await file.read();
  headers.set("content-length", String(content.byteLength));
  return new Response(content, { headers });
}
