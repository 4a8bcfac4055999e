import type { ComponentChildren } from "preact";
import { Button } from "../page/Button.tsx";
import { Link } from "../page/Link.tsx";

/**
 * The form that filters a log. On a phone, where it would take the first screen, it is folded unless a
 * filter is set.
 */
export function LogFilter({ path, isFiltered, children }: {
  /** The path of the log without a filter. */
  path: string;
  /** Whether a filter is set. */
  isFiltered: boolean;
  /** The fields. */
  children: ComponentChildren;
}) {
  return (
    <>
      <details class="log-filter-fold" open={isFiltered}>
        <summary class="button button-quiet">Filter</summary>
      </details>
      <form class="form log-filter" role="search" aria-label="Filter the log">
        {children}
        <div class="log-filter-end">
          <Button>Filter</Button>
          {isFiltered && <Link class="button button-quiet" path={path}>Clear</Link>}
        </div>
      </form>
    </>
  );
}
