import type { ComponentChildren } from "preact";

/** A section of a page with a frame and a heading. */
export function Card(
  { id, title, level = 2, aside, children }: {
    /** Unique on the page. */
    id: string;
    title: string;
    /** 1 for the main card of a page. */
    level?: 1 | 2;
    /** The content at the end of the heading's line. */
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
