import type { OpenPage, OpenPages } from "@/realtime/server.ts";
import { type CountedPage, maxTopPages, type TopPages } from "@/shared/pages.ts";

/** Paths that are counted at once. Users on further ones count as being elsewhere. */
export const maxCountedPaths = 1_000;

/**
 * The pages that most users have open, by the number of users.
 *
 * @param opened those of each user.
 * @param others those of users of other servers; a user of several counts on each.
 */
export function topPages(
  opened: Iterable<readonly Omit<OpenPage, "since">[]>,
  others: Iterable<OpenPages> = [],
): Omit<TopPages, "at"> {
  const users = new Map<string, number>();
  const devices = { phone: 0, tablet: 0, desktop: 0 };
  const known = [...Iterator.from(opened).map(groupOf), ...others];
  for (const { paths, devices: theirs, users: count } of known) {
    for (const path of paths) {
      const before = users.get(path);
      if (before !== undefined || users.size < maxCountedPaths) {
        users.set(path, (before ?? 0) + count);
      }
    }
    for (const device of theirs) devices[device] += count;
  }
  const pages = Array.from(users, ([path, users]): CountedPage => ({ path, users }))
    .sort((a, b) => b.users - a.users || (a.path < b.path ? -1 : 1))
    .slice(0, maxTopPages);
  const listed = new Set(pages.map(({ path }) => path));
  const elsewhere = known.filter(({ paths }) =>
    paths.length === 0 || paths.some((path) => !listed.has(path))
  );
  return { pages, elsewhere: usersIn(elsewhere), users: usersIn(known), devices };
}

/** One user, once on each page and with each kind of device. */
function groupOf(pages: readonly Omit<OpenPage, "since">[]): OpenPages {
  return {
    paths: [...new Set(pages.map(({ path }) => path))],
    devices: [...new Set(pages.flatMap(({ device }) => device ?? []))],
    users: 1,
  };
}

function usersIn(groups: readonly OpenPages[]): number {
  return groups.reduce((sum, { users }) => sum + users, 0);
}
