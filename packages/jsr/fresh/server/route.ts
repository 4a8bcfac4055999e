import type { HandlerFn, Method, RouteHandler } from "./handlers.ts";
import { HttpError } from "./http_error.ts";
import type { Middleware } from "./middleware.ts";
import type { PageComponent } from "./page.ts";
import { renderComponent } from "./render.ts";

/** A handler and a page for one path; one of them may be missing. */
export interface Route<State> {
  // Its data is the affair of the handler and the page; a function that wants some accepts `never`.
  component?: PageComponent<never, State>;
  handler?: RouteHandler<unknown, State>;
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
    const { data, status, headers } = result;
    ctx.data = data;
    return await renderComponent(ctx, route.component, { status, headers: lastOfEach(headers) });
  };
}

/** As in Fresh, the last value of each name stays: a page that sets several cookies is one of `ctx.render`. */
function lastOfEach(given?: HeadersInit): Headers {
  const headers = new Headers();
  new Headers(given).forEach((value, name) => headers.set(name, value));
  return headers;
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
