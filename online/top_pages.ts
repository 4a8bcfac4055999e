import type { OpenPage } from "../realtime/server.ts";
import { type CountedPage, maxTopPages, type TopPages } from "../shared/pages.ts";

/** Paths that are counted at once. Users on further ones count as being elsewhere. */
export const maxCountedPaths = 1_000;

/** The pages that most users have open, by the number of users. @param opened those of each user */
export function topPages(
  opened: Iterable<readonly Omit<OpenPage, "since">[]>,
): Omit<TopPages, "at"> {
  const users = new Map<string, number>();
  const devices = { phone: 0, tablet: 0, desktop: 0 };
  const known = [...opened];
  for (const pages of known) {
    for (const path of new Set(pages.map(({ path }) => path))) {
      const before = users.get(path);
      if (before !== undefined || users.size < maxCountedPaths) users.set(path, (before ?? 0) + 1);
    }
    for (const device of new Set(pages.map(({ device }) => device))) {
      if (device !== undefined) devices[device]++;
    }
  }
  const pages = Array.from(users, ([path, users]): CountedPage => ({ path, users }))
    .sort((a, b) => b.users - a.users || (a.path < b.path ? -1 : 1))
    .slice(0, maxTopPages);
  const listed = new Set(pages.map(({ path }) => path));
  const elsewhere = known.filter((pages) => pages.some(({ path }) => !listed.has(path))).length;
  return { pages, elsewhere, users: known.length, devices };
}
