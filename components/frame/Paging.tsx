import { href } from "../../shared/address.ts";

/** The way to the pages before and after; nothing where there is but one. */
export function Paging({ path, query, page, pages }: {
  path: string;
  /** What else the address holds. */
  query: Record<string, string>;
  /** From 1 on. */
  page: number;
  pages: number;
}) {
  if (pages < 2) return null;
  const address = (number: number) =>
    href(`${path}?${new URLSearchParams({ ...query, page: String(number) })}`);
  return (
    <nav class="paging" aria-label="Pages">
      {page > 1 && <a href={address(page - 1)} rel="prev">Before</a>}
      <span class="soft">Page {page} of {pages}</span>
      {page < pages && <a href={address(page + 1)} rel="next">After</a>}
    </nav>
  );
}
