import { href } from "../../shared/address.ts";

/** Leads on through a log, and back to its beginning. */
export function LogPages({ older, newest }: {
  /** Where the entries after these are; null when there are none. */
  older: string | null;
  /** Where the newest are; null on their page. */
  newest: string | null;
}) {
  if (older === null && newest === null) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {newest !== null && <a class="button button-quiet" href={href(newest)}>Newest</a>}
      {older !== null && <a class="button button-quiet" href={href(older)}>Older</a>}
    </nav>
  );
}
