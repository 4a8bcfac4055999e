import type { AnchorHTMLAttributes, ComponentChildren } from "preact";
import { href } from "@/shared/address.ts";
import { numberText } from "@/shared/text.ts";
import { text } from "@/shared/language.ts";

/**
 * A link to a page of the app that may be the current one or above it. Fresh marks every such link as
 * current unless it states otherwise; only navigation does.
 */
export function Link({ path, current = "false", ...rest }: {
  path: string;
  /** How navigation marks it. */
  current?: "page" | "true" | "false";
} & Omit<AnchorHTMLAttributes, "href" | "aria-current">) {
  return <a {...rest} href={href(path)} aria-current={current} />;
}

/** A link of a pager. */
interface PageLink {
  text: string;
  path: string;
}

/** The links of a pager; see {@link numberedPages} and {@link logPages}. */
interface PagerProps {
  /** What the pages are of, for screen readers. */
  label?: string;
  back: PageLink | null;
  forward: PageLink | null;
  /** The position, such as `Page 2 of 5`. */
  position?: string;
}

/** Links from one page of a list to the next; nothing for a list of one page. */
export function Pager({ label = text`Pages`, back, forward, position }: PagerProps) {
  if (back === null && forward === null) return null;
  return (
    <nav class="row" aria-label={label}>
      {back && <Link class="button button-quiet" path={back.path} rel="prev">{back.text}</Link>}
      {position && <span class="soft">{position}</span>}
      {forward && (
        <Link class="button button-quiet" path={forward.path} rel="next">{forward.text}</Link>
      )}
    </nav>
  );
}

/** The links of a list with numbered pages; the first page is 1. */
export function numberedPages(
  { page, pages }: { page: number; pages: number },
  pathOf: (page: number) => string,
): PagerProps {
  return {
    back: page > 1 ? { text: text`Previous`, path: pathOf(page - 1) } : null,
    forward: page < pages ? { text: text`Next`, path: pathOf(page + 1) } : null,
    position: text`Page ${numberText(page)} of ${numberText(pages)}`,
  };
}

/** The links of a log, which is read from its newest entries backwards and has no page numbers. */
export function logPages(
  { newest, older }: { newest: string | null; older: string | null },
): PagerProps {
  return {
    back: newest === null ? null : { text: text`Newest`, path: newest },
    forward: older === null ? null : { text: text`Older`, path: older },
  };
}

/** Whether a key is held with which a click or another key is the browser's, such as for a new tab. */
export function hasModifier(event: MouseEvent | KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
}

/** A term of a description list, and its value. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Puts values into the page's address, from which a reload takes them; empty ones are taken out. */
export function noteInAddress(values: Record<string, string>): void {
  const address = new URL(location.href);
  for (const [name, value] of Object.entries(values)) {
    if (value) address.searchParams.set(name, value);
    else address.searchParams.delete(name);
  }
  history.replaceState(history.state, "", address);
}
