import { type ComponentChildren, Fragment, h, isValidElement } from "preact";
import { type Context, internals } from "./context.ts";
import { renderDocument } from "./document.ts";
import type { PageComponent, PageContent, PageProps } from "./page.ts";

/** Answers with a page of the content, inside the app that surrounds the route. */
export async function renderPage<State>(
  ctx: Context<State>,
  content: PageContent,
  init: ResponseInit = {},
): Promise<Response> {
  if (content !== null && !isValidElement(content)) {
    throw new TypeError("ctx.render() takes an element of JSX or null");
  }
  const { app } = ctx[internals];
  const whole = app ? await surroundedBy(ctx, app, content) : defaultDocument(content);
  return respond(ctx, whole, init);
}

/** As `renderPage`, of a route's component, which may answer with a Response of its own. */
export async function renderComponent<State>(
  ctx: Context<State>,
  component: PageComponent<never, State> | undefined,
  init: ResponseInit,
): Promise<Response> {
  if (!component) return await renderPage(ctx, null, init);
  const content = await called(component as PageComponent<unknown, State>, propsOf(ctx, ctx.data));
  if (content instanceof Response) return content;
  return await renderPage(ctx, content as PageContent, init);
}

async function surroundedBy<State>(
  ctx: Context<State>,
  component: PageComponent<unknown, State>,
  content: PageContent,
): Promise<ComponentChildren> {
  const Component = () => h(Fragment, null, content);
  const result = await called(component, { ...propsOf(ctx, null), Component });
  if (result instanceof Response) {
    throw new TypeError("Only a page may answer with a Response");
  }
  return result;
}

/**
 * An async component has to be called; a plain one becomes an element, so that its hooks work and what
 * it throws is thrown while the page is rendered.
 */
function called<State>(
  component: PageComponent<unknown, State>,
  props: PageProps<unknown, State>,
): ReturnType<PageComponent<unknown, State>> {
  if (component.constructor.name === "AsyncFunction") return component(props);
  return h(component as (props: PageProps<unknown, State>) => never, props);
}

function propsOf<State>(ctx: Context<State>, data: unknown): PageProps<unknown, State> {
  const { config, url, req, params, info, state, Component, route } = ctx;
  return { config, url, req, params, info, state, data, Component, route };
}

function defaultDocument(content: PageContent): PageContent {
  return h("html", null, [
    h("head", null, h("meta", { charset: "utf-8" })),
    h("body", null, content),
  ]);
}

function respond<State>(
  ctx: Context<State>,
  content: ComponentChildren,
  init: ResponseInit,
): Response {
  const nonce = ctx[internals].nonce = crypto.randomUUID().replaceAll("-", "");
  const { config: { basePath }, url } = ctx;
  const { build } = ctx[internals];
  const { html, preload } = renderDocument(content, { build, basePath, url, nonce });
  const headers = new Headers(init.headers);
  if (!headers.has("content-type")) headers.set("content-type", "text/html; charset=utf-8");
  if (preload.length > 0) headers.append("link", preload.map(preloadLink).join(", "));
  return new Response("<!DOCTYPE html>" + html, { ...init, headers });
}

function preloadLink(path: string): string {
  return `<${path}>; rel="modulepreload"; as="script"`;
}
