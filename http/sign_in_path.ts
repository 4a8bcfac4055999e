import { pathOf } from "../shared/address.ts";

/** The path of the sign-in page, which returns to `page` afterwards. */
export function signInPath(page: URL): string {
  return `/sign-in?return=${encodeURIComponent(pathOf(page) + page.search)}`;
}

/** The path to open after signing in: always one of this app, whatever was requested. */
export function returnAddress(asked: unknown): string {
  if (typeof asked !== "string" || !isOfThisHost(asked)) return "/";
  const base = "http://rollcall.invalid";
  const url = URL.parse(asked, base);
  // Without its dots, "/.//elsewhere" is another host's.
  return url?.origin === base && isOfThisHost(url.pathname) ? url.pathname + url.search : "/";
}

/** Whether it is a path, and nothing that browsers read as the name of another host. */
function isOfThisHost(path: string): boolean {
  return /^\/(?![/\\])/.test(path);
}
