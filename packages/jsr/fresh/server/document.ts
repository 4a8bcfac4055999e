import {
  type ComponentChildren,
  type ComponentType,
  Fragment,
  h,
  options,
  type VNode,
} from "preact";
import { renderToString } from "preact-render-to-string";
import { bootScript, reloadScript } from "../browser/script_names.ts";
import { type Build, type Island, scriptPath } from "./build.ts";
import { markCurrentLink } from "./current_links.ts";
import { inlineValue } from "./inline_value.ts";

/** One page while it is rendered. Rendering is synchronous, so there is one at a time. */
interface Rendering {
  build: Build | undefined;
  basePath: string;
  /** The address of the page, by which its links are marked. */
  url: URL;
  nonce: string;
  islands: { island: Island; props: object }[];
  /** How many islands the element being rendered is inside of. */
  depth: number;
  scriptsWritten: boolean;
}

let current: Rendering | undefined;

/** Renders a document, with the scripts that its islands need at the end of its body. */
export function renderDocument(
  content: ComponentChildren,
  { build, basePath, url, nonce }: Pick<Rendering, "build" | "basePath" | "url" | "nonce">,
): { html: string; preload: string[] } {
  const rendering: Rendering = {
    build,
    basePath,
    url,
    nonce,
    islands: [],
    depth: 0,
    scriptsWritten: false,
  };
  current = rendering;
  try {
    let html = renderToString(h(Fragment, null, content));
    if (!rendering.scriptsWritten) html += renderToString(h(Scripts, null));
    return { html, preload: preloadOf(rendering) };
  } finally {
    current = undefined;
  }
}

type Props = Record<string, unknown> & { children?: ComponentChildren };
type Beginning = (vnode: VNode<Props>) => void;

/** Elements that this module has made and must not replace again. */
const own = new WeakSet<object>();
/** preact's hook that runs before an element is rendered; in its build the name is shortened to this. */
const hooks = options as { __b?: Beginning };
const previousHook = hooks.__b;

hooks.__b = (vnode) => {
  if (current && vnode.type && !own.has(vnode)) replaceElement(vnode, current);
  previousHook?.(vnode);
};

const previousCreationHook = options.vnode;

/** As in Fresh, a link is marked where a component makes it, and not where a handler does. */
options.vnode = (vnode) => {
  if (current && vnode.type === "a") {
    markCurrentLink(vnode.props as Record<string, unknown>, current.url);
  }
  previousCreationHook?.(vnode);
};

function replaceElement(vnode: VNode<Props>, rendering: Rendering): void {
  const { type, props } = vnode;
  if (type === "body") replaceBy(vnode, WithScripts, props);
  else if (type === "script" || type === "style") {
    if (!props.nonce) replaceBy(vnode, WithNonce, { tag: type, props });
  } else if (typeof type === "function" && rendering.depth === 0) {
    const island = rendering.build?.islands.find(({ component }) => component === type);
    if (island) replaceBy(vnode, IslandMarkup, { island, props });
  }
}

/** In place, which is what the hook can do; an element that is rendered again finds itself replaced. */
function replaceBy<P>(vnode: VNode<Props>, component: ComponentType<P>, props: P): void {
  vnode.type = component as VNode<Props>["type"];
  vnode.props = props as VNode<Props>["props"];
}

function element(type: string, props: Props, ...more: ComponentChildren[]): VNode {
  const { children, ...rest } = props;
  const result = h(type, rest, children, ...more);
  own.add(result);
  return result as VNode;
}

function WithScripts(props: Props): VNode {
  return element("body", props, h(Scripts, null));
}

function WithNonce({ tag, props }: { tag: string; props: Props }): VNode {
  return element(tag, { ...props, nonce: current!.nonce });
}

function comment(text: string): VNode {
  return h(Fragment, { UNSTABLE_comment: text } as object);
}

/** An island between two comments by which the browser finds it. */
function IslandMarkup({ island, props }: { island: Island; props: Props }): VNode {
  if (props.children != null) {
    throw new Error(`${island.name}: children of islands are left out of this shim for Fresh`);
  }
  const index = current!.islands.push({ island, props }) - 1;
  const content = h(island.component as ComponentType<Props>, props);
  own.add(content);
  return h(Fragment, null, [
    h(Depth, { change: 1 }),
    comment(`frsh:island:${island.name}:${index}:`),
    content,
    comment("/frsh:island"),
    h(Depth, { change: -1 }),
  ]);
}

/** Elements are rendered in order, so that later ones read here whether they are inside. */
function Depth({ change }: { change: number }): null {
  current!.depth += change;
  return null;
}

function preloadOf({ build, basePath, islands }: Rendering): string[] {
  if (!build || islands.length === 0) return [];
  return [bootScript, ...namesOf(islands)].map((name) => basePath + scriptPath(build.id, name));
}

function namesOf(islands: Rendering["islands"]): string[] {
  return [...new Set(islands.map(({ island }) => island.name))];
}

/** The last thing in the body: it knows every island that came before. */
function Scripts(): ComponentChildren {
  const { build, basePath, islands, nonce } = current!;
  current!.scriptsWritten = true;
  const scripts: VNode[] = [];
  if (build && islands.length > 0) {
    scripts.push(moduleScript(bootCode(build, basePath, islands), nonce));
  }
  if (build?.mode === "development") {
    const code = `import ${JSON.stringify(basePath + scriptPath(build.id, reloadScript))};`;
    scripts.push(moduleScript(code, nonce));
  }
  return scripts;
}

function moduleScript(code: string, nonce: string): VNode {
  const dangerouslySetInnerHTML = { __html: code };
  return element("script", { type: "module", nonce, dangerouslySetInnerHTML });
}

function bootCode(build: Build, basePath: string, islands: Rendering["islands"]): string {
  const path = (name: string) => JSON.stringify(basePath + scriptPath(build.id, name));
  const names = namesOf(islands);
  return `import { boot } from ${path(bootScript)};` +
    names.map((name) => `import ${name} from ${path(name)};`).join("") +
    `boot({${names.join()}},[${islands.map(({ props }) => inlineValue(props)).join()}]);`;
}
