import { isDeepStrictEqual } from "node:util";
import { digest } from "../accounts/digest.ts";
import { badge, type EmbedCount, type EmbedTheme, type ShownCount } from "./badge.ts";
import { badgePolicy, embedPage, pagePolicy } from "./embed_page.ts";
import type { Embed } from "./embed_links.ts";
import type { EmbedFormat } from "@/shared/wallboard.ts";
import { reader } from "@/shared/language.ts";

/** How long browsers and proxies keep an answer, in seconds. */
const maxAgeSeconds = 10;

const themes: Record<string, EmbedTheme> = { light: "light", dark: "dark" };

/** An answer without its body's CORS header, which depends on the request. */
interface Prepared {
  count: EmbedCount;
  body: Uint8Array;
  etag: string;
  headers: Record<string, string>;
}

/** What an embed answers. Bodies are made once for a count, and sent to all who ask. */
export class EmbedAnswer {
  readonly #prepared = new Map<string, Prepared>();

  constructor(readonly embed: Embed) {}

  /** Answers a request for a format, with 304 when the client has the same already. */
  answer(request: Request, format: EmbedFormat, count: EmbedCount): Response {
    const theme = format === "json" ? "auto" : themeOf(request.url);
    const { active, ...given } = count;
    const { activity } = this.embed;
    const isGiven = activity === "all" || (activity === "json" && format === "json");
    const shown = isGiven && active != null
      ? { ...given, active: Math.min(active, count.users) }
      : given;
    const { body, etag, headers } = this.#prepare(format, theme, shown);
    const sent = { ...headers, etag, ...corsHeaders(this.embed, format, request.headers) };
    if (request.headers.get("if-none-match")?.includes(etag)) {
      return new Response(null, { status: 304, headers: sent });
    }
    return new Response(request.method === "HEAD" ? null : body as BodyInit, { headers: sent });
  }

  #prepare(format: EmbedFormat, theme: EmbedTheme, count: EmbedCount): Prepared {
    const name = `${format} ${theme} ${reader.language?.tag}`;
    const cached = this.#prepared.get(name);
    if (cached && isDeepStrictEqual(cached.count, count)) return cached;
    const { label, activity } = this.embed;
    const text = textOf(format, theme, { ...count, label, showsActive: activity === "all" });
    const prepared = {
      count,
      body: new TextEncoder().encode(text),
      etag: `W/"${digest(text).slice(0, 16)}"`,
      headers: headersOf(format, theme, this.embed),
    };
    this.#prepared.set(name, prepared);
    return prepared;
  }
}

function themeOf(url: string): EmbedTheme {
  const query = url.indexOf("?");
  if (query < 0) return "auto";
  return themes[new URLSearchParams(url.slice(query)).get("theme") ?? ""] ?? "auto";
}

function textOf(
  format: EmbedFormat,
  theme: EmbedTheme,
  shown: ShownCount,
): string {
  if (format === "json") return `${JSON.stringify(jsonOf(shown))}\n`;
  return format === "svg" ? badge(shown, theme) : embedPage(shown, theme);
}

function jsonOf({ users, guests, active, freshness }: EmbedCount) {
  const counts = { users, ...guests && { guests }, ...active != null && { active } };
  switch (freshness.state) {
    case "live":
      return counts;
    case "recovering":
      return { ...counts, recovering: true, expected: freshness.expected };
    case "stale":
      return {
        ...counts,
        stale: true,
        // The former name of `stale`.
        standing_still: true,
        since: new Date(freshness.since).toISOString(),
      };
  }
}

function headersOf(
  format: EmbedFormat,
  theme: EmbedTheme,
  { origins }: Embed,
): Record<string, string> {
  const common = {
    "cache-control": `public, max-age=${maxAgeSeconds}`,
    "cross-origin-resource-policy": "cross-origin",
    "x-robots-tag": "noindex, nofollow",
  };
  switch (format) {
    case "json":
      return { ...common, "content-type": "application/json; charset=utf-8" };
    case "svg":
      return {
        ...common,
        "content-type": "image/svg+xml; charset=utf-8",
        "content-security-policy": badgePolicy(theme),
      };
    case "page":
      return {
        ...common,
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": pagePolicy(origins),
        "referrer-policy": "no-referrer",
      };
  }
}

/** Which pages may read the answer by script, and what it depends on. No script reads a page in a frame. */
function corsHeaders(
  { readers, origins }: Embed,
  format: EmbedFormat,
  headers: Headers,
): Record<string, string> {
  const varied = format === "json" ? [] : ["Accept-Language"];
  let allowed: string | undefined;
  if (format !== "page" && readers === "any") allowed = "*";
  if (format !== "page" && readers === "listed") {
    varied.push("Origin");
    allowed = origins.find((origin) => origin === headers.get("origin"));
  }
  return {
    ...varied.length > 0 && { vary: varied.join(", ") },
    ...allowed !== undefined && { "access-control-allow-origin": allowed },
  };
}
