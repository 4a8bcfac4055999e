import type { ComponentChildren, FunctionComponent, VNode } from "preact";
import type { ResolvedFreshConfig } from "./config.ts";
import type { Method } from "./handlers.ts";

/** What a page is rendered from: an element of any component, or nothing. */
// deno-lint-ignore no-explicit-any -- an element of a component with props is no `VNode` without them
export type PageContent = VNode<any> | null;

/** What a page, layout or app is given. */
export interface PageProps<Data = unknown, State = unknown> {
  config: ResolvedFreshConfig;
  url: URL;
  req: Request;
  params: Record<string, string>;
  info: Deno.ServeHandlerInfo;
  state: State;
  /** What the handler gave the page; null in layouts and the app. */
  data: Data;
  error: unknown;
  isPartial: boolean;
  /** In a layout or app: what it surrounds. */
  Component: FunctionComponent;
  route: string | null;
}

/** Renders a page; may be async, and may answer with a Response of its own instead. */
export type PageComponent<Data, State> = (
  props: PageProps<Data, State>,
) => ComponentChildren | Response | Promise<ComponentChildren | Response>;

/** What a page or layout wants around itself. */
export interface LayoutConfig {
  /** Leaves the app out. */
  skipAppWrapper?: boolean;
  /** Leaves the layouts of the folders above out. */
  skipInheritedLayouts?: boolean;
}

/** What a route file exports as `config`. */
export interface RouteConfig extends LayoutConfig {
  /** The methods that the route answers; all unless given. */
  methods?: "ALL" | Method[];
  /** Left out: it throws. */
  csp?: boolean;
}

/** A layout, with its wishes. */
export interface Layout<State> {
  component: PageComponent<unknown, State>;
  config: LayoutConfig;
}

const known = new Set(["skipAppWrapper", "skipInheritedLayouts", "methods"]);

/** The config as given; throws when it has a part that this stand-in leaves out. */
export function checkedConfig(config: RouteConfig | undefined, owner: string): RouteConfig {
  for (const key of Object.keys(config ?? {})) {
    if (!known.has(key)) {
      throw new Error(`${owner}: config.${key} is left out of this stand-in for Fresh`);
    }
  }
  return config ?? {};
}
