import { printable } from "../printable.ts";
import type { ReceivedRequest } from "../self_request.ts";
import { required, type Step } from "../step.ts";
import type { Target } from "../target.ts";
import { failed, ok, type Verdict } from "../verdict.ts";

/** Passes when the headers that pages depend on arrive unchanged, in both directions. */
export const headersStep: Step = {
  name: "headers",
  title: "Headers",
  needs: ["installation"],
  run({ target, selfRequest, pages }) {
    const setsCookie = (required(pages).page.headers["set-cookie"] ?? [])
      .some((cookie) => /rollcall\S*csrf=/.test(cookie));
    return Promise.resolve(headersVerdict(target, required(selfRequest).received, setsCookie));
  },
};

/**
 * Judges the headers that the server received.
 *
 * @param setsCookie whether the sign-in page arrived with the cookie that every new visitor gets.
 */
export function headersVerdict(
  { pages, app }: Pick<Target, "pages" | "app">,
  { host, hasCookie, hasOrigin }: Pick<ReceivedRequest, "host" | "hasCookie" | "hasOrigin">,
  setsCookie: boolean,
): Verdict {
  if (URL.parse(`${pages.protocol}//${host}`)?.host !== pages.host) {
    return failed(
      `The server receives the host ${
        printable(host)
      } instead of ${pages.host}. Pages would open ` +
        "their WebSocket there.",
      "Configure the proxy to forward the Host header.",
      "nginx: `proxy_set_header Host $http_host;`",
      "Apache: `ProxyPreserveHost On`",
      "Caddy forwards it, unless `header_up Host` changes it.",
    );
  }
  if (!hasCookie || !setsCookie) {
    return failed(
      `Cookies do not reach ${hasCookie ? "the browser" : "the server"}: no one can sign in.`,
      "Configure the proxy to forward the headers Cookie and Set-Cookie, and no cache to answer for " +
        "Rollcall: no `proxy_cache` or `proxy_hide_header` in nginx, no `RequestHeader unset` or " +
        "`Header unset` in Apache, no caching in a CDN.",
    );
  }
  if (!hasOrigin && !(app.allowedOrigins ?? ["*"]).includes("*")) {
    return failed(
      "The Origin header does not reach the server: ALLOWED_ORIGINS has no effect.",
      "Configure the proxy to forward the Origin header.",
    );
  }
  return ok("Host and cookies pass through.");
}
