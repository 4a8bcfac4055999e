import type { FunctionComponent } from "preact";
import type { Build } from "./build.ts";
import type { ResolvedFreshConfig } from "./config.ts";
import { redirect } from "./redirect.ts";
import { renderPage } from "./render.ts";
import type { Layout, LayoutConfig, PageComponent, PageContent } from "./page.ts";
import { upgrade, type WebSocketHandlers, type WebSocketUpgradeOptions } from "./websocket.ts";

/** What surrounds a page, gathered on the way from the root to its route. */
export interface Surroundings<State> {
  app: PageComponent<unknown, State> | undefined;
  layouts: readonly Layout<State>[];
}

/** The key of what only this package reads of a context. */
export const internals: unique symbol = Symbol("internals");

interface Internals<State> {
  build: Build | undefined;
  surroundings: Surroundings<State>;
  /** Set once a page was rendered: what its inline scripts are marked with. */
  nonce: string | undefined;
}

/** What a context is made from. */
export interface ContextOptions {
  request: Request;
  url: URL;
  params: Record<string, string>;
  route: string | null;
  config: ResolvedFreshConfig;
  info: Deno.ServeHandlerInfo;
  build: Build | undefined;
}

/** A request on its way through the app, and the means to answer it. */
export class Context<State> {
  readonly config: ResolvedFreshConfig;
  readonly req: Request;
  readonly url: URL;
  /** What the route's pattern matched, percent-decoded. */
  readonly params: Record<string, string>;
  /** The pattern of the matched route; null when there is none. */
  readonly route: string | null;
  /** The address of the client, as Deno.serve gives it. */
  readonly info: Deno.ServeHandlerInfo;
  /** Shared by the middleware and the page of one request. */
  readonly state: State = {} as State;
  /** What the route's handler gave its page. */
  data: unknown = undefined;
  /** The error, while an error page is rendered; otherwise null. */
  error: unknown = null;
  readonly isPartial = false;
  /** In a layout or app: what it surrounds. */
  Component: FunctionComponent = () => null;
  /** The answer of what comes after this middleware. */
  next: () => Promise<Response> = () => Promise.reject(new Error("There is nothing next"));
  readonly [internals]: Internals<State>;

  constructor({ request, url, params, route, config, info, build }: ContextOptions) {
    this.req = request;
    this.url = url;
    this.params = params;
    this.route = route;
    this.config = config;
    this.info = info;
    this[internals] = {
      build,
      surroundings: { app: undefined, layouts: [] },
      nonce: undefined,
    };
  }

  /**
   * Redirects, with 302 by default. Slashes of a path collapse, so that `//host` is no other host; values of
   * a query must be checked all the same, as browsers read `/\host` like it.
   */
  redirect(location: string, status = 302): Response {
    return redirect(location, status);
  }

  /** Answers with a page made of an element, its layouts and the app around it; throws for other values. */
  render(
    content: PageContent,
    init?: ResponseInit,
    config?: LayoutConfig,
  ): Promise<Response> {
    return renderPage(this, content, init, config);
  }

  /** Answers with plain text. */
  text(content: string, init?: ResponseInit): Response {
    return new Response(content, init);
  }

  /** Answers with HTML as it is given; nothing is escaped. */
  html(content: string, init?: ResponseInit): Response {
    const headers = new Headers(init?.headers);
    if (!headers.has("content-type")) {
      headers.set("content-type", "text/html; charset=utf-8");
    }
    return new Response(content, { ...init, headers });
  }

  /** Answers with JSON. */
  json(content: unknown, init?: ResponseInit): Response {
    return Response.json(content, init);
  }

  /**
   * Takes over the connection as a WebSocket. With handlers it returns the answer, without them the
   * socket too. Throws an HttpError 400 when the request is no upgrade.
   */
  upgrade(handlers: WebSocketHandlers, options?: WebSocketUpgradeOptions): Response;
  upgrade(options?: WebSocketUpgradeOptions): { socket: WebSocket; response: Response };
  upgrade(
    first: WebSocketHandlers | WebSocketUpgradeOptions = {},
    options?: WebSocketUpgradeOptions,
  ): Response | { socket: WebSocket; response: Response } {
    return upgrade(this.req, first, options);
  }
}

/** The context under its former name. */
export type FreshContext<State = unknown> = Context<State>;
