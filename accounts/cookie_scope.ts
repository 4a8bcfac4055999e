/** Where the cookies of an installation are sent, and how their names begin. */
export interface CookieScope {
  path: string;
  namePrefix: string;
}

/**
 * The scope of an installation's cookies: its own path, and names with that path in them, so that
 * several on one host neither overwrite nor read each other's, though one be below another.
 */
export function cookieScope({ pathname }: URL): CookieScope {
  const basePath = pathname.replace(/\/$/, "");
  return { path: basePath || "/", namePrefix: `rollcall${basePath.replaceAll("/", ".")}` };
}
