import type { Person } from "./online.ts";

/** What a online table can be sorted by: a column each. */
export type OnlineTableColumn = "name" | "role" | "since" | "tabs" | "seen";

/** The order of a online table. */
export interface OnlineTableSort {
  column: OnlineTableColumn;
  descending: boolean;
}

/** Which people are listed, and in which order. */
export interface OnlineTableQuery {
  search: string;
  sort: OnlineTableSort;
}

/** The columns from left to right; `first` is the direction in which one is sorted at first. */
export const onlineTableColumns: readonly {
  column: OnlineTableColumn;
  label: string;
  first: "ascending" | "descending";
}[] = [
  { column: "name", label: "Name", first: "ascending" },
  { column: "role", label: "Role", first: "ascending" },
  { column: "since", label: "Since", first: "descending" },
  { column: "tabs", label: "Tabs", first: "descending" },
  { column: "seen", label: "Last seen", first: "descending" },
];

/** The longest text that is searched for, in characters. */
export const maxSearchLength = 100;

/** The order that an address names: a column, with `-` before it when descending; else by name. */
export function sortOf(text: string): OnlineTableSort {
  const descending = text.startsWith("-");
  const name = descending ? text.slice(1) : text;
  const known = onlineTableColumns.find(({ column }) => column === name);
  return known ? { column: known.column, descending } : { column: "name", descending: false };
}

/** The opposite of {@link sortOf}. */
export function sortName({ column, descending }: OnlineTableSort): string {
  return descending ? `-${column}` : column;
}

/** The order after a click on a column's head. */
export function sortAfter(before: OnlineTableSort, column: OnlineTableColumn): OnlineTableSort {
  if (before.column === column) return { column, descending: !before.descending };
  const first = onlineTableColumns.find((known) => known.column === column)?.first;
  return { column, descending: first === "descending" };
}

/** The people who match, in order. Equals stand by name and then by id, whatever the direction. */
export function onlineTableOf(
  people: Iterable<Person>,
  { search, sort }: OnlineTableQuery,
): Person[] {
  const searched = folded(search.slice(0, maxSearchLength)).split(/\s+/).filter(Boolean);
  const key = keys[sort.column];
  const sign = sort.descending ? -1 : 1;
  return Array.from(people, entryOf)
    .filter(({ text }) => searched.every((word) => text.includes(word)))
    .sort((a, b) => sign * compare(key(a), key(b)) || compare(a.name, b.name) || byId(a, b))
    .map(({ person }) => person);
}

const roleRanks = { admin: 0, user: 1 };
const kindRanks = { user: 1, guest: 2, foreign: 3 };

/** What is compared first. */
const keys: Record<OnlineTableColumn, (entry: Entry) => string | number> = {
  name: ({ name }) => name,
  role: ({ person: { kind, role } }) => role === null ? kindRanks[kind] : roleRanks[role],
  since: ({ person }) => person.since,
  tabs: ({ person }) => person.connections,
  // Whoever is connected is seen now.
  seen: ({ person: { connections, lastSeenAt } }) => connections > 0 ? Infinity : lastSeenAt,
};

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function byId(a: Entry, b: Entry): number {
  return compare(a.person.id, b.person.id);
}

/** A person with what it is sorted and found by. */
interface Entry {
  readonly person: Person;
  /** Server and browser must agree, so that no row moves when the page comes alive. */
  readonly name: string;
  readonly text: string;
}

/** Kept, for there are thousands and folding is slow. */
const known = new WeakMap<Person, Entry>();

function entryOf(person: Person): Entry {
  const before = known.get(person);
  if (before) return before;
  const name = folded(person.name);
  const entry = {
    person,
    // Numbers by their value, up to twelve digits.
    name: name.replace(/\d+/g, (digits) => digits.padStart(12, "0")),
    text: `${name} ${folded(person.id)}`,
  };
  known.set(person, entry);
  return entry;
}

/** Text without case and accents. */
function folded(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase().toLowerCase();
}

/** What of the online table is in the HTML: a page of it. */
export interface OnlineTablePage {
  query: OnlineTableQuery;
  people: Person[];
  /** How many come before them. */
  before: number;
  /** The number of the page; the first is 1. */
  page: number;
  pages: number;
  /** How many match the search. */
  hits: number;
  /** How many are online. */
  total: number;
  /** When that was so, in milliseconds since 1970. */
  at: number;
}
