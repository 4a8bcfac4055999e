import { href } from "../../shared/address.ts";
import { type OnlineTableQuery, sortName } from "../../shared/online_table.ts";

/** Leads to the other pages of the online table where there is no script that shows all of it. */
export function OnlineTablePager({ query: { search, sort }, page, pages }: {
  query: OnlineTableQuery;
  /** The first is 1. */
  page: number;
  pages: number;
}) {
  if (pages < 2) return null;
  const address = (number: number) =>
    href(`/admin/online?${new URLSearchParams({
      q: search,
      sort: sortName(sort),
      page: String(number),
    })}#online-table`);
  return (
    <nav class="online-table-pager without-script" aria-label="Pages of the list">
      {page > 1 && <a href={address(page - 1)} rel="prev">Previous page</a>}
      <span>Page {page} of {pages}</span>
      {page < pages && <a href={address(page + 1)} rel="next">Next page</a>}
    </nav>
  );
}
