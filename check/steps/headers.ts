import { left, type Step } from "../step.ts";
import type { Sighting } from "../probe.ts";
import { shown } from "../printable.ts";
import type { Target } from "../target.ts";
import { failed, ok, type Verdict } from "../verdict.ts";

/** The headers that the pages need arrive as they were sent. */
export const headersStep: Step = {
  name: "headers",
  title: "Headers",
  needs: ["installation"],
  run({ target, seen, pages }) {
    const setsCookie = (left(pages).page.headers["set-cookie"] ?? [])
      .some((cookie) => /rollcall\S*csrf=/.test(cookie));
    return Promise.resolve(headersVerdict(target, left(seen).sighting, setsCookie));
  },
};

/**
 * Judges what the server saw of the headers.
 *
 * @param setsCookie whether the cookie came that every newcomer gets.
 */
export function headersVerdict(
  { pages, app }: Pick<Target, "pages" | "app">,
  { host, hasCookie, hasOrigin }: Pick<Sighting, "host" | "hasCookie" | "hasOrigin">,
  setsCookie: boolean,
): Verdict {
  if (URL.parse(`${pages.protocol}//${host}`)?.host !== pages.host) {
    return failed(
      `The server is asked for the host ${shown(host)}, not ${pages.host}. Pages would look for ` +
        "their socket there.",
      "Pass the header Host on.",
      "nginx: `proxy_set_header Host $http_host;`",
      "Apache: `ProxyPreserveHost On`",
      "Caddy does so, unless `header_up Host` says otherwise.",
    );
  }
  if (!hasCookie || !setsCookie) {
    return failed(
      `Cookies do not ${hasCookie ? "come back" : "get to the server"}: nobody can sign in.`,
      "Pass the headers Cookie and Set-Cookie on, and let no cache answer for Rollcall: no " +
        "`proxy_cache` or `proxy_hide_header` in nginx, no `RequestHeader unset` or `Header unset` " +
        "in Apache, no caching in a CDN.",
    );
  }
  if (!hasOrigin && !(app.allowedOrigins ?? ["*"]).includes("*")) {
    return failed(
      "The header Origin does not get to the server: ALLOWED_ORIGINS has no effect.",
      "Pass the header Origin on.",
    );
  }
  return ok("Host and cookies arrive.");
}
