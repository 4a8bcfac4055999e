import { internals } from "./context.ts";
import type { Middleware } from "./middleware.ts";
import type { PageComponent } from "./page.ts";

interface Segment<State> {
  app?: PageComponent<unknown, State>;
  middleware: Middleware<State>[];
  children: Map<string, Segment<State>>;
}

/**
 * What surrounds the routes, as a tree of path segments. A route takes what is there when it is added,
 * outer to inner: for each segment its app, then its middleware.
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

function middlewareOf<State>({ app, middleware }: Segment<State>): Middleware<State>[] {
  if (!app) return middleware;
  const surround: Middleware<State> = (ctx) => {
    ctx[internals].app = app;
    return ctx.next();
  };
  return [surround, ...middleware];
}
