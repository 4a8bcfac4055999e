/** Where the cookies of an installation are sent, and how their names begin. */
export interface CookieScope {
  path: string;
  namePrefix: string;
}

/**
 * The scope of an installation's cookies: its own path, and names that contain it, so that several
 * installations on one host do not read or overwrite each other's cookies, even one below another.
 *
 * Under https, names begin with `__Host-`, so that no neighbouring domain can set them (RFC 6265bis,
 * 4.1.3.2), or with `__Secure-` when the app is below a path, which `__Host-` does not allow.
 *
 * @param isSecure whether browsers reach the app by https.
 */
export function cookieScope({ pathname }: URL, isSecure: boolean): CookieScope {
  const basePath = pathname.replace(/\/$/, "");
  const protection = !isSecure ? "" : basePath === "" ? "__Host-" : "__Secure-";
  return {
    path: basePath || "/",
    namePrefix: `${protection}rollcall${basePath.replaceAll("/", ".")}`,
  };
}
