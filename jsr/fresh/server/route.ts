import { type Context, internals } from "./context.ts";
import type { HandlerFn, Method, PageResponse, RouteHandler } from "./handlers.ts";
import { HttpError } from "./http_error.ts";
import type { Middleware } from "./middleware.ts";
import type { PageComponent, RouteConfig } from "./page.ts";
import { renderComponent } from "./render.ts";

/** A handler and a page for one path; one of them may be missing. */
export interface Route<State> {
  // Its data is the affair of the handler and the page; a function that wants some accepts `never`.
  component?: PageComponent<never, State>;
  handler?: RouteHandler<unknown, State>;
  config?: RouteConfig;
}

/**
 * The middleware that answers as the route says. A method that the handlers lack is a 404, but GET is
 * answered by the page, and a page without handlers answers every method.
 */
export function routeHandler<State>(route: Route<State>): Middleware<State> {
  return async (ctx) => {
    const handle = handlerFor(route, ctx.req.method);
    const result = handle ? await handle(ctx) : { data: {} };
    if (result instanceof Response) return result;
    ctx.data = result.data;
    return await renderComponent(ctx, route.component, initOf(ctx, result), route.config ?? {});
  };
}

function handlerFor<State>(
  { handler, component }: Route<State>,
  method: string,
): HandlerFn<unknown, State> | undefined {
  if (typeof handler === "function") return handler;
  const own = handler && Object.hasOwn(handler, method) ? handler[method as Method] : undefined;
  if (own) return own;
  const reads = method === "GET" || method === "HEAD";
  if (method === "HEAD" && handler?.GET) return handler.GET;
  if (component && (reads || !handler)) return undefined;
  throw new HttpError(404);
}

function initOf<State>(ctx: Context<State>, result: PageResponse<unknown>): ResponseInit {
  return { status: result.status ?? statusOf(ctx), headers: result.headers };
}

/** An error page has the status of the error unless it says another. */
function statusOf<State>({ error }: Context<State>): number {
  if (error === null) return 200;
  return error instanceof HttpError ? error.status : 500;
}

/** The middleware that makes an error page. */
export function errorRouteHandler<State>(route: Route<State>): Middleware<State> {
  const answer = routeHandler({ ...route, handler: route.handler ?? (() => ({ data: {} })) });
  return (ctx) => {
    ctx[internals].nonce = undefined;
    return answer(ctx);
  };
}
