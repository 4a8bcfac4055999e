/** Where the cookies of an installation are sent, and how their names begin. */
export interface CookieScope {
  path: string;
  namePrefix: string;
}

/**
 * The scope of an installation's cookies: its own path, and names that contain it, so that several
 * installations on one host do not read or overwrite each other's cookies, even one below another.
 */
export function cookieScope({ pathname }: URL): CookieScope {
  const basePath = pathname.replace(/\/$/, "");
  return { path: basePath || "/", namePrefix: `rollcall${basePath.replaceAll("/", ".")}` };
}
