/** The kinds of requests that are told apart when counting. */
export type RouteClass = "socket" | "api" | "probe" | "auth" | "asset" | "page";

/** A request's kind, by its path: there are few, whatever strangers ask for. */
export function routeClass(path: string, isApi: (path: string) => boolean): RouteClass {
  if (/^\/app\/[^/]+$/.test(path)) return "socket";
  if (isApi(path)) return "api";
  if (path === "/up" || path === "/metrics") return "probe";
  if (path.startsWith("/broadcasting/")) return "auth";
  return /^\/_fresh\/|\.\w+$/.test(path) ? "asset" : "page";
}
