import { type Context, internals, type Surroundings } from "./context.ts";
import type { Middleware } from "./middleware.ts";
import type { Layout, PageComponent } from "./page.ts";

interface Segment<State> {
  app?: PageComponent<unknown, State>;
  layout?: Layout<State>;
  errorHandler?: Middleware<State>;
  middleware: Middleware<State>[];
  children: Map<string, Segment<State>>;
}

/**
 * What surrounds the routes, as a tree of path segments. A route takes what is there when it is added,
 * outer to inner: for each segment its app, layout and error page, then its middleware.
 */
export class Segments<State> {
  #root: Segment<State> = newSegment();

  /** The segment of a path; what is set on it holds for that path and all below. */
  at(path: string): Omit<Segment<State>, "children"> {
    let segment = this.#root;
    for (const name of namesOf(path)) {
      const child = segment.children.get(name) ?? newSegment<State>();
      segment.children.set(name, child);
      segment = child;
    }
    return segment;
  }

  /** The middleware that a route at this path runs in, as things stand now. */
  chainTo(path: string): Middleware<State>[] {
    const chain = [...middlewareOf(this.#root)];
    let segment: Segment<State> | undefined = this.#root;
    for (const name of namesOf(path)) {
      segment = segment.children.get(name);
      if (!segment) break;
      chain.push(...middlewareOf(segment));
    }
    return chain;
  }
}

function newSegment<State>(): Segment<State> {
  return { middleware: [], children: new Map() };
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== "*");
}

function middlewareOf<State>(segment: Segment<State>): Middleware<State>[] {
  const { app, layout, errorHandler, middleware } = segment;
  const surrounds = app || layout || errorHandler;
  return surrounds ? [surround(app, layout, errorHandler), ...middleware] : [...middleware];
}

/** Adds the app and layout to the surroundings, and lets the error page answer what is thrown inside. */
function surround<State>(
  app: PageComponent<unknown, State> | undefined,
  layout: Layout<State> | undefined,
  errorHandler: Middleware<State> | undefined,
): Middleware<State> {
  return async (ctx: Context<State>) => {
    const surroundings = withLayout(ctx[internals].surroundings, layout);
    if (app) surroundings.app = app;
    ctx[internals].surroundings = surroundings;
    try {
      return await ctx.next();
    } catch (error) {
      if (!errorHandler) throw error;
      ctx.error = error;
      ctx[internals].surroundings = surroundings;
      return await errorHandler(ctx);
    }
  };
}

function withLayout<State>(
  { app, layouts }: Surroundings<State>,
  layout: Layout<State> | undefined,
): Surroundings<State> {
  if (!layout) return { app, layouts };
  return {
    app: layout.config.skipAppWrapper ? undefined : app,
    layouts: layout.config.skipInheritedLayouts ? [layout] : [...layouts, layout],
  };
}
