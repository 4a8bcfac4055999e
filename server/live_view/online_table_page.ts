import {
  filterCounts,
  onlineTableOf,
  type OnlineTablePage,
  type OnlineTableQuery,
} from "@/shared/online_table.ts";
import type { OnlineRows } from "@/shared/large_channel.ts";
import { listPage } from "@/shared/list_page.ts";
import type { OnlineSnapshot, Person } from "@/shared/online.ts";

/** People on a page: enough to fill a window, as each row delays the first live number. */
const pageSize = 30;

/**
 * A page of the online table, as the server draws it.
 *
 * @param page the number of the page, from 1; the nearest that exists is used.
 */
export function onlineTablePage(
  { people, at }: Pick<OnlineSnapshot, "people" | "at">,
  query: OnlineTableQuery,
  page: number,
): OnlineTablePage {
  const matching = onlineTableOf(people, query);
  const { items, ...place } = listPage(matching, page, pageSize);
  return {
    ...place,
    query,
    people: items,
    hits: matching.length,
    total: people.length,
    counts: filterCounts(people),
    at,
  };
}

/**
 * The rows of a page of the online table of a large channel, and the page that they make.
 *
 * @param users how many are online.
 * @param page as in {@link onlineTablePage}; beyond the last that matches, the last rows are shown.
 */
export function windowOfPage(users: number, page: number) {
  const last = Math.max(1, Math.ceil(users / pageSize));
  const number = Math.min(Math.max(1, Math.trunc(page) || 1), last);
  return {
    request: { offset: (number - 1) * pageSize, limit: pageSize, anchors: [] },
    place(
      { at, people, total, hits, offset }: OnlineRows,
      query: OnlineTableQuery,
    ): OnlineTablePage {
      const pages = Math.max(1, Math.ceil(hits / pageSize));
      return {
        query,
        people,
        hits,
        total,
        at,
        pages,
        before: offset,
        page: Math.min(number, pages),
      };
    },
  };
}

/**
 * A snapshot with the viewer of the page in it. The page is about to join, so without this the viewer's
 * row would flicker in right after the page is drawn.
 */
export function withViewer(
  snapshot: OnlineSnapshot,
  viewer: Pick<Person, "id" | "kind" | "name" | "role">,
  isMember = false,
): OnlineSnapshot {
  if (snapshot.isLarge) return isMember ? snapshot : { ...snapshot, users: snapshot.users + 1 };
  const { people, at, connections } = snapshot;
  const viewerEntry = people.find(({ id }) => id === viewer.id);
  if (viewerEntry && viewerEntry.connections > 0) return snapshot;
  const joined = { since: at, ...viewerEntry, ...viewer, connections: 1, lastSeenAt: at };
  return {
    ...snapshot,
    people: [...people.filter((person) => person !== viewerEntry), joined],
    users: snapshot.users + (viewerEntry ? 0 : 1),
    // Someone who was leaving counted as one connection before.
    connections: connections + (viewerEntry ? 0 : 1),
  };
}
