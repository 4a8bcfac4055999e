/** The query parameter that names the build a file belongs to. */
export const cacheKeyParameter = "__frsh_c";

// A script is served below its build's id, which the server does not know while it makes the script.
let buildId = /\/_fresh\/js\/([^/]+)\//.exec(import.meta.url)?.[1];

/** Sets the build that `asset` refers to; on the server, when a build is applied to an app. */
export function setAssetBuild(id: string): void {
  buildId = id;
}

/**
 * The address of a file in `static/` under which browsers keep it for a year: it changes with every
 * build. Addresses of other hosts, and paths that carry a key already, come back as they are.
 */
export function asset(path: string): string {
  if (buildId === undefined || !path.startsWith("/") || path.startsWith("//")) {
    return path;
  }
  const url = new URL(path, "http://localhost");
  if (url.searchParams.has(cacheKeyParameter)) return path;
  url.searchParams.set(cacheKeyParameter, buildId);
  return url.pathname + url.search + url.hash;
}
