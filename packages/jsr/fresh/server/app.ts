import { setAssetBuild } from "../browser/asset.ts";
import type { Build } from "./build.ts";
import { type FreshConfig, resolveConfig, type ResolvedFreshConfig } from "./config.ts";
import { Context } from "./context.ts";
import { plainErrorResponse } from "./error_response.ts";
import { addFileRoutes } from "./file_routes.ts";
import type { Method } from "./handlers.ts";
import { type Middleware, runMiddleware } from "./middleware.ts";
import { RouteTree } from "./route_tree.ts";

type Handlers<State> = [Middleware<State>, ...Middleware<State>[]];
type Step<State> = (tree: RouteTree<State>, build: Build | undefined) => void;

/**
 * A server-rendered app: middleware and routes, in the order that they are added. A route runs inside
 * the middleware that was added before it.
 *
 * @example
 * const app = new App().use(staticFiles()).get("/", (ctx) => ctx.text("hello"));
 * Deno.serve(app.handler());
 */
export class App<State> {
  readonly config: ResolvedFreshConfig;
  #steps: Step<State>[] = [];
  #build: Build | undefined;

  constructor(config: FreshConfig = {}) {
    this.config = resolveConfig(config);
  }

  /** Adds middleware, for every path or for one and those below it. */
  use(...middleware: Handlers<State>): this;
  use(path: string, ...middleware: Handlers<State>): this;
  use(first: string | Middleware<State>, ...rest: Middleware<State>[]): this {
    const [path, middleware] = typeof first === "string" ? [first, rest] : ["/", [first, ...rest]];
    return this.#then((tree) => tree.segments.at(path).middleware.push(...middleware));
  }

  /** Adds a route for GET, and for HEAD. */
  get(path: string, ...handlers: Handlers<State>): this {
    return this.#route("GET", path, handlers);
  }

  /** Adds a route for POST. */
  post(path: string, ...handlers: Handlers<State>): this {
    return this.#route("POST", path, handlers);
  }

  /** Adds a route for every method. */
  all(path: string, ...handlers: Handlers<State>): this {
    return this.#route("ALL", path, handlers);
  }

  /** Adds the routes of the files in `routes/`; there are none before a build is applied. */
  fsRoutes(): this {
    return this.#then((tree, build) => addFileRoutes(tree, build?.routes ?? []));
  }

  /** The app as a function from request to answer, with all that was added until now. */
  handler(): (request: Request, info?: Deno.ServeHandlerInfo) => Promise<Response> {
    const tree = new RouteTree<State>(this.config.basePath);
    for (const step of this.#steps) step(tree, this.#build);
    return async (request, info = unknownSender) => {
      const response = await this.#answer(tree, request, info);
      return request.method === "HEAD" ? new Response(null, response) : response;
    };
  }

  /** Applies what a builder has made. Only `fresh/dev` and the built server call this. */
  applyBuild(build: Build): void {
    this.#build = build;
    this.config.mode = build.mode;
    this.config.root = build.root;
    setAssetBuild(build.id);
  }

  #then(step: Step<State>): this {
    this.#steps.push(step);
    return this;
  }

  #route(method: Method | "ALL", path: string, handlers: Middleware<State>[]): this {
    return this.#then((tree) => tree.add(method, path, handlers));
  }

  async #answer(
    tree: RouteTree<State>,
    request: Request,
    info: Deno.ServeHandlerInfo,
  ): Promise<Response> {
    // As in Fresh, this throws at a malformed Host header, and routing at some paths and methods.
    const url = new URL(request.url);
    url.pathname = url.pathname.replace(/\/{2,}/g, "/");
    const { chain, params, route } = tree.answerTo(request.method, url.pathname);
    const { config } = this;
    const build = this.#build;
    const ctx = new Context<State>({
      request,
      url,
      params,
      route,
      config,
      info,
      build,
    });
    try {
      return await runMiddleware(chain, ctx);
    } catch (error) {
      return plainErrorResponse(error);
    }
  }
}

/** The client of a request without connection info, as in tests that call the handler. */
const unknownSender: Deno.ServeHandlerInfo = {
  remoteAddr: { transport: "tcp", hostname: "localhost", port: 0 },
  completed: Promise.resolve(),
};
