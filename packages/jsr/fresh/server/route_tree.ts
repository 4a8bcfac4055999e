import type { Method } from "./handlers.ts";
import { HttpError } from "./http_error.ts";
import type { Middleware } from "./middleware.ts";
import { type Route, routeHandler } from "./route.ts";
import { type Match, Router } from "./router.ts";
import { Segments } from "./segments.ts";

/** What answers a request: the chain of middleware to run, and what the path matched. */
export interface Answer<State> {
  chain: readonly Middleware<State>[];
  params: Record<string, string>;
  route: string | null;
}

/** The routes of an app with all that surrounds them. */
export class RouteTree<State> {
  readonly segments = new Segments<State>();
  #router = new Router<readonly Middleware<State>[]>();
  readonly #basePath: string;

  /** @param basePath what stands before every pattern in the paths that are asked for. */
  constructor(basePath: string) {
    this.#basePath = basePath;
  }

  /** Adds a route inside what surrounds its path at this moment. */
  add(method: Method | "ALL", pattern: string, handlers: readonly Middleware<State>[]): void {
    const path = this.#basePath === "" || pattern !== "/"
      ? this.#basePath + pattern
      : this.#basePath;
    this.#router.add(method, path, [...this.segments.chainTo(pattern), ...handlers]);
  }

  /** Adds the route of a file, which is loaded at its first request. */
  addRoute(pattern: string, load: () => Promise<Route<State>>): void {
    let route: Route<State> | undefined;
    this.add("ALL", pattern, [async (ctx) => routeHandler(route ??= await load())(ctx)]);
  }

  /** What answers a method at a path. Where no route does, only the root's middleware runs. */
  answerTo(method: string, path: string): Answer<State> {
    const match = this.#router.match(method, path);
    if (match.kind === "route") {
      return { chain: match.item, params: match.params, route: match.pattern };
    }
    const last = match.kind === "none" ? notFound : otherMethods<State>(method, match);
    const route = match.kind === "none" ? null : match.pattern;
    return { chain: [...this.segments.chainTo("/"), last], params: {}, route };
  }
}

function notFound(): never {
  throw new HttpError(404);
}

function otherMethods<State>(
  method: string,
  { methods }: Extract<Match<unknown>, { kind: "other methods" }>,
): Middleware<State> {
  return () => {
    if (method !== "OPTIONS") throw new HttpError(405);
    return new Response(null, {
      status: 204,
      headers: { allow: methods.join(", ") },
    });
  };
}
