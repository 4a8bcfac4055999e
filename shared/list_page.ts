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

/**
 * The pages that people have open, as their clients report them. Nothing of it is signed.
 *
 * @module
 */

/** A kind of device. */
export type Device = "phone" | "tablet" | "desktop";

/** A page of your own app that a person has open. */
export interface CurrentPage {
  /** Without a query. */
  path: string;
  /** Absent when the client does not report it. */
  device?: Device;
}

/** A page, and how many users have it open. */
export interface CountedPage {
  path: string;
  users: number;
}

/** The pages that most users have open. A user with several tabs can be on several. */
export interface TopPages {
  /** When they were counted, in milliseconds since 1970, by the server's clock. */
  at: number;
  /** At most {@link maxTopPages}, the one with most users first. */
  pages: CountedPage[];
  /** Users who have another page open. */
  elsewhere: number;
  /** Users whose page is known; 0 when nothing is. */
  users: number;
  /** Users by kind of device, as far as it is known. */
  devices: Record<Device, number>;
}

/** The number of pages that are listed. */
export const maxTopPages = 10;
