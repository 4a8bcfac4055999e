/** What is asked of a site tag: its script, or to have a visitor of the site counted. */
export type SiteRequest = "script" | "auth";

/** The path of a site tag's script, `/site/TOKEN.js`, or where that asks, `/site/TOKEN/auth`. */
export function sitePath(token: string, asked: SiteRequest): string {
  return `/site/${token}${asked === "script" ? ".js" : "/auth"}`;
}

/** The token and what is asked for by a path; null for other paths. */
export function siteOf(path: string): { token: string; asked: SiteRequest } | null {
  const [, token, ending] = /^\/site\/([^/.]+)(\.js|\/auth)$/.exec(path) ?? [];
  if (token === undefined) return null;
  return { token, asked: ending === ".js" ? "script" : "auth" };
}

/** The answer to a request to be counted; the script sends `guest` again for the next connection. */
export interface SiteAuthorization {
  auth: string;
  channel_data: string;
  /** The id of the guest and its signature. */
  guest: string;
}

/** What stands for the key of the pages' app in the script that the build makes. */
export const keyInScript = "{key of the pages}";
