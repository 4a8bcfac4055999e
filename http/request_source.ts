/**
 * Whether a request may come from a page of this app, as far as the browser states it. Programs and old
 * browsers state nothing; the CSRF token is what such a request has to have.
 *
 * `Sec-Fetch-Site` (W3C Fetch Metadata) is what the browser itself compared, so it is right behind a
 * proxy that changes the host. Browsers send it over https and to localhost only. Without it, `Origin`
 * has to name the public address or the host that the request was sent to.
 *
 * @param url of the request, whose host is that of its `Host` header.
 */
export function mayComeFromOwnPage(headers: Headers, url: URL, appUrl: URL): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || site === "none";
  const origin = headers.get("origin");
  if (origin === null || origin === appUrl.origin) return true;
  return URL.parse(origin)?.host === url.host;
}

/** Whether the browser states that a page of another site sent the request, or one of another subdomain. */
export function isAskedByOtherSite(headers: Headers): boolean {
  return ["cross-site", "same-site"].includes(headers.get("sec-fetch-site") ?? "");
}
