import { at } from "../../shared/address.ts";
import { type RosterQuery, sortName } from "../../browser/online/online_table.ts";

/** Leads to the other pages of the roster where there is no script that shows all of it. */
export function RosterPager({ query: { search, sort }, page, pages }: {
  query: RosterQuery;
  /** The first is 1. */
  page: number;
  pages: number;
}) {
  if (pages < 2) return null;
  const address = (number: number) =>
    at(`/admin/online?${new URLSearchParams({
      q: search,
      sort: sortName(sort),
      page: String(number),
    })}#roster`);
  return (
    <nav class="roster-pager without-script" aria-label="Pages of the list">
      {page > 1 && <a href={address(page - 1)} rel="prev">Previous page</a>}
      <span>Page {page} of {pages}</span>
      {page < pages && <a href={address(page + 1)} rel="next">Next page</a>}
    </nav>
  );
}
