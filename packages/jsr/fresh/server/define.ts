import type { RouteData, RouteHandler } from "./handlers.ts";
import type { Middleware } from "./middleware.ts";
import type { PageComponent } from "./page.ts";

/** Functions that return what they are given and so give it its type. */
export interface Define<State> {
  /** Types a route's handlers. */
  handlers<Handler extends RouteHandler<unknown, State>>(handlers: Handler): Handler;
  /** Types a page; with `typeof handler` its `data` too. */
  page<Handler = unknown>(
    render: PageComponent<PageData<Handler, State>, State>,
  ): PageComponent<PageData<Handler, State>, State>;
  /** Types middleware. */
  middleware<M extends Middleware<State> | Middleware<State>[]>(middleware: M): M;
}

type PageData<Handler, State> = Handler extends RouteHandler<unknown, State> ? RouteData<Handler>
  : unknown;

/** Makes the functions for one app's state. */
export function createDefine<State>(): Define<State> {
  return {
    handlers: (handlers) => handlers,
    page: (render) => render,
    middleware: (middleware) => middleware,
  };
}
