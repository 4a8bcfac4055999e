import {
  onlineTableOf,
  type OnlineTablePage,
  type OnlineTableQuery,
} from "../shared/online_table.ts";
import type { OnlineSnapshot, Person } from "../shared/online.ts";
/** People on a page. */
const pageSize = 50;

/**
 * A page of the online table.
 *
 * @param page the number asked for; the nearest there is, is answered.
 */
export function onlineTablePage(
  { people, at }: Pick<OnlineSnapshot, "people" | "at">,
  query: OnlineTableQuery,
  page: number,
): OnlineTablePage {
  const found = onlineTableOf(people, query);
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const shown = Math.min(Math.max(1, Math.trunc(page) || 1), pages);
  const before = (shown - 1) * pageSize;
  return {
    query,
    people: found.slice(before, before + pageSize),
    before,
    page: shown,
    pages,
    hits: found.length,
    total: people.length,
    at,
  };
}

/**
 * A snapshot with whoever looks at the page: they are about to join, and a row that comes at every
 * first look would be a flicker.
 */
export function withViewer(
  snapshot: OnlineSnapshot,
  viewer: Pick<Person, "id" | "kind" | "name" | "role">,
): OnlineSnapshot {
  const { people, at, connections } = snapshot;
  const known = people.find(({ id }) => id === viewer.id);
  if (known && known.connections > 0) return snapshot;
  const joined = { since: at, ...known, ...viewer, connections: 1, lastSeenAt: at };
  return {
    ...snapshot,
    people: [...people.filter((person) => person !== known), joined],
    users: snapshot.users + (known ? 0 : 1),
    connections: connections + 1,
  };
}
