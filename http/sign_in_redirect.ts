import { pathOf } from "@/shared/address.ts";

/** The path of the sign-in page that redirects to `page` afterwards. */
export function signInPath(page: URL): string {
  return `/sign-in?return=${encodeURIComponent(pathOf(page) + page.search)}`;
}

/** The path to redirect to after sign-in: the one that was asked for if it is of this app, else `/`. */
export function returnPath(asked: unknown): string {
  if (typeof asked !== "string" || !isOfThisHost(asked)) return "/";
  const base = "http://rollcall.invalid";
  const url = URL.parse(asked, base);
  // Parsing removes dots: "/.//elsewhere" becomes another host's.
  return url?.origin === base && isOfThisHost(url.pathname) ? url.pathname + url.search : "/";
}

/** Whether it is a path, and not what browsers read as the name of another host. */
function isOfThisHost(path: string): boolean {
  return /^\/(?![/\\])/.test(path);
}
