import { App, type FreshConfig } from "fresh";
import { pathBelow } from "@/shared/address.ts";

/** Answers a request that Fresh does not get; null passes it on. */
export type EarlyAnswer = (request: Request, info: Deno.ServeHandlerInfo) => Response | null;

/**
 * A Fresh app with a `basePath` that works whether a proxy passes that path on or strips it:
 * `/rollcall/admin/online` and `/admin/online` are the same page, and the app always gets the first.
 */
export class PrefixedApp<State> extends App<State> {
  readonly #early: readonly EarlyAnswer[];

  /** @param early is asked in this order, before Fresh is. */
  constructor(config: FreshConfig, ...early: readonly EarlyAnswer[]) {
    super(config);
    this.#early = early;
  }

  override handler(): ReturnType<App<State>["handler"]> {
    const answer = super.handler();
    const { basePath } = this.config;
    return async (request, info) => {
      for (const early of this.#early) {
        const response = early(request, info!);
        if (response) return response;
      }
      return await answer(withPrefix(request, basePath), info);
    };
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
