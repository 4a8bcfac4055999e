/** A page of a list that is divided into pages. */
export interface ListPage<Item> {
  items: Item[];
  /** How many items come before the page. */
  before: number;
  /** The number of the page; the first is 1. */
  page: number;
  pages: number;
}

/**
 * A page of a list. An empty list has one page.
 *
 * @param asked the number of the page; the nearest that exists is used, and the first for `NaN`.
 * @param size items of a page.
 */
export function listPage<Item>(
  list: readonly Item[],
  asked: number,
  size: number,
): ListPage<Item> {
  const pages = Math.max(1, Math.ceil(list.length / size));
  const page = Math.min(Math.max(1, Math.trunc(asked) || 1), pages);
  const before = (page - 1) * size;
  return { items: list.slice(before, before + size), before, page, pages };
}
