import type { FunctionComponent } from "preact";
import type { Build } from "./build.ts";
import type { ResolvedFreshConfig } from "./config.ts";
import { redirect } from "./redirect.ts";
import { renderPage } from "./render.ts";
import type { PageComponent, PageContent } from "./page.ts";

/** The key of what only this package reads of a context. */
export const internals: unique symbol = Symbol("internals");

interface Internals<State> {
  build: Build | undefined;
  /** What surrounds the pages of the route. */
  app: PageComponent<unknown, State> | undefined;
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
  /** In the app: what it surrounds. */
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
      app: undefined,
      nonce: undefined,
    };
  }

  /**
   * Redirects, with 302 by default. Slashes of a path collapse, so that `//host` is no other host; values of
   * a query must be checked all the same, as browsers read `/\host` like it. As in Fresh it reads its context, so that
   * it is called on it only.
   */
  redirect(location: string, status = 302): Response {
    void this.url;
    return redirect(location, status);
  }

  /** Answers with a page made of an element and the app around it; throws for other values. */
  render(content: PageContent, init?: ResponseInit): Promise<Response> {
    return renderPage(this, content, init);
  }

  /** Answers with plain text. */
  text(content: string, init?: ResponseInit): Response {
    return new Response(content, init);
  }
}
