import { folded, searchedWords } from "./folded.ts";
import type { Person } from "./online.ts";
import { keyText } from "./long_text.ts";

/** The columns by which the online table can be sorted. */
export type OnlineTableColumn = "name" | "role" | "since" | "tabs" | "activity";

/** The order of the online table. */
export interface OnlineTableSort {
  column: OnlineTableColumn;
  descending: boolean;
}

/** The people who are listed, and their order. */
export interface OnlineTableQuery {
  search: string;
  sort: OnlineTableSort;
  /** Only people of whom this is true. */
  only?: OnlineTableFilter;
  /** Only people who reported this page last; absent in a large channel, whose list has no pages. */
  page?: string;
}

/** What can be true of a person, by which the online table is filtered. */
export type OnlineTableFilter = "active" | "idle" | "phone" | "guests";

/** The filters in their order, with their labels. A person who uses a phone has a page open there. */
export const onlineTableFilters: Record<
  OnlineTableFilter,
  { label: string; has(person: Person): boolean }
> = {
  active: { label: keyText("Active"), has: ({ activity }) => activity?.state === "active" },
  idle: { label: keyText("Idle"), has: ({ activity }) => activity?.state === "idle" },
  phone: { label: keyText("Phone"), has: ({ page }) => page?.device === "phone" },
  guests: { label: keyText("Guests"), has: ({ kind }) => kind === "guest" },
};

/** How many people each filter lists; absent where that is not known. */
export type FilterCounts = Partial<Record<OnlineTableFilter, number>>;

/** How many of some people each filter lists. */
export function filterCounts(people: Iterable<Person>): FilterCounts {
  const counts: FilterCounts = {};
  for (const person of people) {
    for (const [name, { has }] of Object.entries(onlineTableFilters)) {
      const filter = name as OnlineTableFilter;
      if (has(person)) counts[filter] = (counts[filter] ?? 0) + 1;
    }
  }
  return counts;
}

/** The filter in an address; none if there is none of this name. */
export function filterOf(text: string | null): OnlineTableQuery["only"] {
  return text !== null && Object.hasOwn(onlineTableFilters, text)
    ? text as OnlineTableFilter
    : undefined;
}

/** The columns from left to right; `first` is the direction of the first click on its head. */
export const onlineTableColumns: readonly {
  column: OnlineTableColumn;
  label: string;
  first: "ascending" | "descending";
}[] = [
  { column: "name", label: keyText("Name"), first: "ascending" },
  { column: "role", label: keyText("Type"), first: "ascending" },
  { column: "since", label: keyText("Online for"), first: "descending" },
  { column: "tabs", label: keyText("Tabs"), first: "descending" },
  { column: "activity", label: keyText("Activity"), first: "descending" },
];

/** The maximum length of a search, in characters. */
export const maxSearchLength = 100;

/** The order in an address: a column, with `-` before it when descending. By name if there is none. */
export function sortOf(text: string): OnlineTableSort {
  const descending = text.startsWith("-");
  const name = descending ? text.slice(1) : text;
  const sortable = onlineTableColumns.find(({ column }) => column === name);
  return sortable ? { column: sortable.column, descending } : { column: "name", descending: false };
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

/** The people who match, in order. */
export function onlineTableOf(
  people: Iterable<Person>,
  query: OnlineTableQuery,
): Person[] {
  return Array.from(people, entryOf)
    .filter(matches(query))
    .sort(inOrder(query.sort))
    .map(({ person }) => person);
}

/**
 * Whether a person is listed: each word of the search is in the name or the second line, begins the id or is a whole
 * word of it, and the filter and the page have the person.
 */
export function matches(
  { search, only, page }: Omit<OnlineTableQuery, "sort">,
): (entry: OnlineTableEntry) => boolean {
  const words = searchedWords(search.slice(0, maxSearchLength));
  return ({ person, text, id }) =>
    (!only || onlineTableFilters[only].has(person)) &&
    (!page || person.page?.path === page) &&
    words.every((word) => text.includes(word) || isInId(word, id));
}

/** Parts of words do not count: ids of one kind have their beginning in common, and "al" would find all of them. */
function isInId(word: string, id: string): boolean {
  return id.startsWith(word) || id.includes(word) && id.split(/[^\p{L}\d]/u).includes(word);
}

/** The order of two people; 0 for equal ones. */
export type OnlineTableOrder = (a: OnlineTableEntry, b: OnlineTableEntry) => number;

/** Compares two people. Equals are sorted by name and then by id, in either direction. */
export function inOrder(sort: OnlineTableSort): OnlineTableOrder {
  const byColumn = inColumn(sort);
  return (a, b) => byColumn(a, b) || compare(a.name, b.name) || byId(a, b);
}

function inColumn({ column, descending }: OnlineTableSort): OnlineTableOrder {
  const key = column === "name" ? ({ name }: OnlineTableEntry) => name : numbers[column];
  const sign = descending ? -1 : 1;
  return (a, b) => sign * compare(key(a), key(b));
}

const roleRanks = { admin: -2, moderator: -1, viewer: 0, user: 1 };
const kindRanks = { user: 1, guest: 2, foreign: 1 };

/** The number by which a column sorts a person. */
export function numberIn(column: NumberColumn): (entry: OnlineTableEntry) => number {
  return numbers[column];
}

type NumberColumn = Exclude<OnlineTableColumn, "name">;

const numbers: Record<NumberColumn, (entry: OnlineTableEntry) => number> = {
  role: ({ person: { kind, role, source } }) => {
    if (source !== undefined) return 3;
    return role === null ? kindRanks[kind] : roleRanks[role];
  },
  since: ({ person }) => person.since,
  tabs: ({ person }) => person.connections,
  // The active, then the idle, the latest first; last the ones of whom nothing is known.
  activity: ({ person: { activity } }) => {
    if (!activity) return -Infinity;
    return activity.state === "active" ? Infinity : activity.since;
  },
};

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function byId(a: OnlineTableEntry, b: OnlineTableEntry): number {
  return compare(a.person.id, b.person.id);
}

/** A person with the values to sort and search by. */
export interface OnlineTableEntry {
  readonly person: Person;
  /** Equal on server and browser, so that no row moves when the page hydrates. */
  readonly name: string;
  readonly text: string;
  readonly id: string;
}

/** Cached, because there can be thousands and folding is slow. */
const entries = new WeakMap<Person, OnlineTableEntry>();

/** The entry of a person, who may be listed often. */
export function entryOf(person: Person): OnlineTableEntry {
  const before = entries.get(person);
  if (before) return before;
  const entry = newEntryOf(person);
  entries.set(person, entry);
  return entry;
}

/** The same, made again each time. */
export function newEntryOf(person: Person): OnlineTableEntry {
  const name = folded(person.name);
  return {
    person,
    // Sorts numbers by their value, up to twelve digits.
    name: name.replace(/\d+/g, (digits) => digits.padStart(12, "0")),
    text: `${name} ${folded(person.detail ?? "")}`,
    id: folded(person.id),
  };
}

/** The page of the online table that is in the HTML. */
export interface OnlineTablePage {
  query: OnlineTableQuery;
  people: Person[];
  /** The number of people on the pages before. */
  before: number;
  /** The first page is 1. */
  page: number;
  pages: number;
  /** The number of people who match the search. */
  hits: number;
  /** The number of people online. */
  total: number;
  /** How many people each filter lists; absent in a large channel. */
  counts?: FilterCounts;
  /** The time of the page, in milliseconds since 1970. */
  at: number;
  /** Whether the people come later, as their list takes time to make. */
  isLate?: boolean;
}
