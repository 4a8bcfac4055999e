import type { ComponentChildren } from "preact";

/** A framed part of a page with a heading of its own. */
export function Card(
  { id, title, level = 2, aside, children }: {
    /** Unique on the page. */
    id: string;
    title: string;
    /** 1 where the card is the page's whole content. */
    level?: 1 | 2;
    /** What stands at the end of the heading's line. */
    aside?: ComponentChildren;
    children: ComponentChildren;
  },
) {
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <section class="card" id={id} aria-labelledby={`${id}-title`}>
      <header class="card-head">
        <Heading id={`${id}-title`}>{title}</Heading>
        {aside}
      </header>
      {children}
    </section>
  );
}
