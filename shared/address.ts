/**
 * Paths and addresses. Inside of the app a path is counted from `APP_URL`: `/admin/online`, whatever
 * path `APP_URL` has. What leaves the app, in HTML, a redirect or a request, is an address: the host's
 * path, such as `/rollcall/admin/online`, as `href` makes it.
 *
 * @module
 */
let basePath: string | undefined;

/** Says on the server what path `APP_URL` has: "" or one such as `/rollcall`. */
export function setBasePath(path: string): void {
  basePath = path;
}

/** The path of `APP_URL`; undefined when there is none. Pages state it in `<html data-base-path>`. */
export function statedBasePath(): string | undefined {
  return basePath || undefined;
}

/** The address of a path of this app: what every link, form, redirect and request needs. */
export function href(path: string): string {
  basePath ??= typeof document === "undefined"
    ? ""
    : document.documentElement.dataset.basePath ?? "";
  return basePath + path;
}

/** The path that an address is of: the reverse of `href`. A path without the prefix comes back as it is. */
export function pathOf({ pathname }: { pathname: string }): string {
  return pathBelow(basePath ?? "", pathname);
}

/** The part of a path below another; a path that is not below it comes back as it is. */
export function pathBelow(basePath: string, pathname: string): string {
  if (pathname === basePath) return "/";
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname;
}

/** The page of a person; below it are the addresses of what can be done to them. */
export function personPath(id: string): string {
  return `/admin/people/${encodeURIComponent(id)}`;
}
