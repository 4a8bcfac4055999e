/** Which pages may read an embed's JSON and badge by script (CORS). */
export type EmbedReaders = "none" | "listed" | "any";

/** A format in which an embed gives the count. */
export type EmbedFormat = "json" | "svg" | "page";

/** The path of an embed: `/embed/TOKEN.json`, `/embed/TOKEN.svg`, or without an ending its page. */
export function embedPath(token: string, format: EmbedFormat): string {
  return `/embed/${token}${format === "page" ? "" : `.${format}`}`;
}

/** The token and the format of a path; null for other paths. */
export function embedOf(path: string): { token: string; format: EmbedFormat } | null {
  const [, token, ending] = /^\/embed\/([^/.]+)(?:\.(json|svg))?$/.exec(path) ?? [];
  if (token === undefined) return null;
  return { token, format: ending === "json" || ending === "svg" ? ending : "page" };
}
