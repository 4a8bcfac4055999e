/** The kinds of requests that are told apart when counting. */
export type RouteClass = "socket" | "api" | "probe" | "auth" | "asset" | "page";

/** A request's kind, by its path: there are few, whatever strangers ask for. */
export function routeClass(pathname: string, isApi: (pathname: string) => boolean): RouteClass {
  if (/^\/app\/[^/]+$/.test(pathname)) return "socket";
  if (isApi(pathname)) return "api";
  if (pathname === "/up" || pathname === "/metrics") return "probe";
  if (pathname.startsWith("/broadcasting/")) return "auth";
  return /^\/_fresh\/|\.\w+$/.test(pathname) ? "asset" : "page";
}
