import type { ComponentChildren } from "preact";

let collect: ((children: ComponentChildren) => void) | undefined;

/** Says where the content of `<Head>` goes while the server renders a page. */
export function setHeadCollector(collector: typeof collect): void {
  collect = collector;
}

/**
 * Puts its children at the end of the page's `<head>`, wherever in the page it stands. In the browser
 * it does nothing: what is in the head came with the page.
 */
export function Head({ children }: { children?: ComponentChildren }): null {
  collect?.(children);
  return null;
}
