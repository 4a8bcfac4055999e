import { App, type FreshConfig } from "fresh";
import { pathBelow } from "@/shared/address.ts";

/**
 * A Fresh app with a `basePath` that works whether a proxy passes that path on or strips it:
 * `/rollcall/admin/online` and `/admin/online` are the same page, and the app always gets the first.
 */
export class PrefixedApp<State> extends App<State> {
  readonly #refuse: (request: Request) => Response | null;

  /** @param refuse answers requests that Fresh must not get; null passes them on. */
  constructor(config: FreshConfig, refuse: (request: Request) => Response | null) {
    super(config);
    this.#refuse = refuse;
  }

  override handler(): ReturnType<App<State>["handler"]> {
    const answer = super.handler();
    const { basePath } = this.config;
    return async (request, info) =>
      this.#refuse(request) ?? await answer(withPrefix(request, basePath), info);
  }
}

/**
 * The request with the prefix in its path. Requests for sockets stay as they are: only the request object
 * that was received can be upgraded.
 */
function withPrefix(request: Request, basePath: string): Request {
  if (basePath === "") return request;
  if (request.headers.get("upgrade")?.toLowerCase() === "websocket") return request;
  const url = new URL(request.url);
  const path = pathBelow(basePath, url.pathname);
  // Fresh serves the route "/" at the base path itself, without a slash after it.
  const pathname = path === "/" ? basePath : basePath + path;
  if (pathname === url.pathname) return request;
  url.pathname = pathname;
  return new Request(url, request);
}
