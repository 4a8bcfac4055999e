/**
 * Paths and addresses. A path is relative to `APP_URL`, such as `/admin/online`. What leaves the app, in
 * HTML, a redirect or a request, is an address: the path on the host, such as `/rollcall/admin/online`,
 * which {@link href} returns.
 *
 * @module
 */
let basePath: string | undefined;

/** Sets the path of `APP_URL` on the server: "" or one such as `/rollcall`. */
export function setBasePath(path: string): void {
  basePath = path;
}

/** The path of `APP_URL`; undefined when it has none. Pages carry it in `<html data-base-path>`. */
export function statedBasePath(): string | undefined {
  return basePath || undefined;
}

/** The address of a path of this app, for every link, form, redirect and request. */
export function href(path: string): string {
  basePath ??= typeof document === "undefined"
    ? ""
    : document.documentElement.dataset.basePath ?? "";
  return basePath + path;
}

/** The path of an address: the reverse of {@link href}. A path without the prefix is returned as it is. */
export function pathOf({ pathname }: { pathname: string }): string {
  return pathBelow(basePath ?? "", pathname);
}

/** The part of a path below another; a path that is not below it is returned as it is. */
export function pathBelow(basePath: string, pathname: string): string {
  if (pathname === basePath) return "/";
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname;
}

/** The path of a person's page; the actions on the person are below it. */
export function personPath(id: string): string {
  // As a segment of a path, "." and ".." mean a folder, even if they are encoded.
  const segment = /^(~|\.{1,2}$)/.test(id) ? `~${id}` : id;
  return `/admin/people/${encodeURIComponent(segment)}`;
}

/** The id that {@link personPath} made the path of, or of a path below it; empty when there is none. */
export function personIdOf(path: string): string {
  try {
    return decodeURIComponent(path.split("/")[3] ?? "").replace(/^~/, "");
  } catch {
    return "";
  }
}

/** The path of the page that manages a user's account; the actions are below it. */
export function userPath(id: string): string {
  return `/admin/settings/team/${encodeURIComponent(id)}`;
}
