import type { ComponentChildren, FunctionComponent, VNode } from "preact";
import type { ResolvedFreshConfig } from "./config.ts";

/** What a page is rendered from: an element of any component, or nothing. */
// deno-lint-ignore no-explicit-any -- an element of a component with props is no `VNode` without them
export type PageContent = VNode<any> | null;

/** What a page or app is given. */
export interface PageProps<Data = unknown, State = unknown> {
  config: ResolvedFreshConfig;
  url: URL;
  req: Request;
  params: Record<string, string>;
  info: Deno.ServeHandlerInfo;
  state: State;
  /** What the handler gave the page; null in the app. */
  data: Data;
  /** In the app: what it surrounds. */
  Component: FunctionComponent;
  route: string | null;
}

/** Renders a page; may be async, and may answer with a Response of its own instead. */
export type PageComponent<Data, State> = (
  props: PageProps<Data, State>,
) => ComponentChildren | Response | Promise<ComponentChildren | Response>;
