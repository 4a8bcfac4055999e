import type { Person } from "@/shared/online.ts";
import type { Anchor } from "@/shared/large_channel.ts";
import {
  inOrder,
  matches,
  newEntryOf,
  numberIn,
  type OnlineTableEntry,
  type OnlineTableOrder,
  type OnlineTableQuery,
  type OnlineTableSort,
  sortName,
  sortOf,
} from "@/shared/online_table.ts";
import { searchedWords } from "@/shared/folded.ts";
import type { Clock } from "@/realtime/timing/clock.ts";

/** The order of two items. */
type Compare<Item> = (a: Item, b: Item) => number;

/** How many items are sorted or merged without a pause: about 10 ms. */
const atOnce = 8_000;

/**
 * Sorts items, with pauses in between so that others never wait for it long. Equal ones keep their order.
 *
 * @param pause lets other work be done.
 */
export async function sortedInSteps<Item>(
  items: readonly Item[],
  compare: Compare<Item>,
  pause: () => Promise<void>,
): Promise<Item[]> {
  let runs: Item[][] = [];
  for (let start = 0; start < items.length; start += atOnce) {
    runs.push(items.slice(start, start + atOnce).sort(compare));
    await pause();
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let run = 0; run < runs.length; run += 2) {
      merged.push(await mergedInSteps(runs[run], runs[run + 1] ?? [], compare, pause));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergedInSteps<Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: Compare<Item>,
  pause: () => Promise<void>,
): Promise<Item[]> {
  const merged: Item[] = [];
  for (let i = 0, j = 0; i < one.length || j < other.length;) {
    const isFirst = j >= other.length || (i < one.length && compare(one[i], other[j]) <= 0);
    merged.push(isFirst ? one[i++] : other[j++]);
    if (merged.length % atOnce === 0) await pause();
  }
  return merged;
}

/**
 * The order of items by a number each: their indexes. Items with equal numbers keep their order. It sorts
 * numbers instead of comparing items, which for 100,000 takes a tenth of the time: about 40 ms.
 *
 * @param pause lets other work be done.
 */
export async function orderByNumber(
  numbers: Float64Array,
  isDescending: boolean,
  pause: () => Promise<void>,
): Promise<Uint32Array> {
  const keys = isDescending ? numbers.map((number) => -number) : numbers;
  const sorted = keys.toSorted();
  await pause();
  // A whole number each: first by the place of its key, which equal ones share, then by the index.
  const { length } = keys;
  const byKey = (a: number, b: number) => a < b ? -1 : 1;
  const places = keys.map((key, index) => placeOf(sorted, key, byKey) * length + index).sort();
  await pause();
  return Uint32Array.from(places, (place) => place % length);
}

/** The number of items of an order that come before an item, which need not be in it; no two are equal. */
export function placeOf<Item, Sought = Item>(
  order: ArrayLike<Item>,
  item: Sought,
  compare: (one: Item, sought: Sought) => number,
): number {
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(order[middle], item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * An order without some of its items, and with others. It looks at the places of these only and copies
 * the rest, which for a thousand changes of 100,000 items is 20 times as fast as a merge that compares
 * all, and as an insertion of each.
 */
export function updatedOrder<Item>(
  order: readonly Item[],
  removed: readonly Item[],
  added: readonly Item[],
  compare: Compare<Item>,
): Item[] {
  const edits = [
    ...added.toSorted(compare).map((item) => ({ at: placeOf(order, item, compare), item })),
    ...removed.map((item) => ({ at: placeOf(order, item, compare), item: undefined })),
  ].sort((a, b) => a.at - b.at);
  const updated: Item[] = [];
  let next = 0;
  for (const { at, item } of edits) {
    while (next < at) updated.push(order[next++]);
    if (item === undefined) next = at + 1;
    else updated.push(item);
  }
  while (next < order.length) updated.push(order[next++]);
  return updated;
}

/** Searches and orders that are kept sorted; beyond, the one that was asked for the longest ago is dropped. */
const maxListings = 20;

/** How many people are searched without a pause: about 3 ms. */
const searchedAtOnce = 10_000;

/** Which rows of a list are asked for. */
export interface WindowRequest {
  offset: number;
  limit: number;
  /** Of these the first that is listed moves the window with it. */
  anchors: readonly Anchor[];
}

/** Rows of a list. */
interface PeopleWindow {
  /** The number of people. */
  total: number;
  /** How many people match the search. */
  hits: number;
  /** The number of rows before the first one. */
  offset: number;
  people: Person[];
}

/** The people who match, in the order of a column, or of their ids. */
type ListingQuery = Omit<OnlineTableQuery, "sort"> & { sort: OnlineTableSort | "id" };

/** The people who match a search, in an order. */
interface Listing {
  readonly compare: OnlineTableOrder;
  readonly matches: (entry: OnlineTableEntry) => boolean;
  entries: OnlineTableEntry[];
}

/**
 * Many people, listed by searches and in orders. A list is searched and sorted when it is asked for first,
 * and then kept as people come and go. Each promise has to be settled before the next call.
 */
export class SortedPeople {
  readonly #entries = new Map<string, OnlineTableEntry>();
  /** Everyone by name, from which the others are made. */
  #byName: Listing | undefined;
  /** The one that was asked for last is the last. */
  readonly #listings = new Map<string, Listing>();
  readonly #pause: () => Promise<void>;

  /** @param pause lets other work be done. */
  constructor(pause: () => Promise<void>) {
    this.#pause = pause;
  }

  /** The number of people. */
  get size(): number {
    return this.#entries.size;
  }

  /** The person with an id; undefined when there is none. */
  get(id: string): Person | undefined {
    return this.#entries.get(id)?.person;
  }

  /** The ids of all people. */
  ids(): Iterable<string> {
    return this.#entries.keys();
  }

  /** Adds or replaces people, and removes the ones with some ids. */
  async update(people: readonly Person[], removedIds: readonly string[]): Promise<void> {
    const removed: OnlineTableEntry[] = [];
    const added = new Map<string, OnlineTableEntry>();
    for (const id of [...removedIds, ...people.map(({ id }) => id)]) {
      const removedEntry = this.#entries.get(id);
      if (removedEntry && this.#entries.delete(id)) removed.push(removedEntry);
    }
    for (const person of people) added.set(person.id, newEntryOf(person));
    for (const [id, entry] of added) this.#entries.set(id, entry);
    for (const listing of [...this.#byName ? [this.#byName] : [], ...this.#listings.values()]) {
      const [gone, come] = [removed, [...added.values()]].map((some) =>
        some.filter(listing.matches)
      );
      listing.entries = updatedOrder(listing.entries, gone, come, listing.compare);
      await this.#pause();
    }
  }

  /** Rows of the people who match, in order. */
  async window(
    query: OnlineTableQuery,
    { offset, limit, anchors }: WindowRequest,
  ): Promise<PeopleWindow> {
    const { entries, compare } = await this.#listing(query);
    const place = (id: string) => {
      const entry = this.#entries.get(id);
      if (!entry) return -1;
      const at = placeOf(entries, entry, compare);
      return entries[at] === entry ? at : -1;
    };
    const anchor = anchors.find(({ id }) => place(id) >= 0);
    const moved = anchor ? offset + place(anchor.id) - anchor.row : offset;
    const first = Math.max(0, Math.min(moved, entries.length - limit));
    return {
      total: this.size,
      hits: entries.length,
      offset: first,
      people: entries.slice(first, first + limit).map(({ person }) => person),
    };
  }

  /**
   * People who match, in the order of their ids, which never change: page by page, a person who stays online is
   * listed exactly once, while others join and leave.
   *
   * @param after an id, whether or not it is of one of them; absent: from the first.
   */
  async after(
    query: Omit<OnlineTableQuery, "sort">,
    after: string | undefined,
    limit: number,
  ): Promise<{ people: Person[]; hasMore: boolean }> {
    const { entries } = await this.#listing({ ...query, sort: "id" });
    const first = after === undefined
      ? 0
      : placeOf(entries, after, ({ person }, id) => person.id <= id ? -1 : 1);
    const people = entries.slice(first, first + limit).map(({ person }) => person);
    return { people, hasMore: first + limit < entries.length };
  }

  async #listing(query: ListingQuery): Promise<Listing> {
    const { search, sort, only } = query;
    const byName = sort === "id"
      ? undefined
      : this.#byName ??= await this.#listed({ search: "", sort: sortOf("") });
    const order = sort === "id" ? sort : sortName(sort);
    const key = [order, only, ...searchedWords(search)].join(" ");
    if (byName && key === `${sortName(sortOf(""))} `) return byName;
    const listing = this.#listings.get(key) ?? await this.#listed(query, byName);
    this.#listings.delete(key);
    this.#listings.set(key, listing);
    const [oldest] = this.#listings.keys();
    if (this.#listings.size > maxListings) this.#listings.delete(oldest);
    return listing;
  }

  async #listed(query: ListingQuery, byName?: Listing): Promise<Listing> {
    const { sort } = query;
    const isFound = matches(query);
    const matching: OnlineTableEntry[] = [];
    let searched = 0;
    for (const entry of byName?.entries ?? this.#entries.values()) {
      if (isFound(entry)) matching.push(entry);
      if (++searched % searchedAtOnce === 0) await this.#pause();
    }
    const compare = sort === "id" ? byId : inOrder(sort);
    const entries = byName && sort !== "id"
      ? await this.#inColumn(matching, sort)
      : await sortedInSteps(matching, compare, this.#pause);
    return { compare, matches: isFound, entries };
  }

  /** Sorts by a column the people who are sorted by name already, which is the order of equals. */
  async #inColumn(
    entries: readonly OnlineTableEntry[],
    { column, descending }: OnlineTableSort,
  ): Promise<OnlineTableEntry[]> {
    const numbers = column === "name" ? numbersOfNames(entries) : entries.map(numberIn(column));
    const order = await orderByNumber(Float64Array.from(numbers), descending, this.#pause);
    return Array.from(order, (index) => entries[index]);
  }
}

function byId({ person: one }: OnlineTableEntry, { person: other }: OnlineTableEntry): number {
  return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
}

/** Numbers in the order of the names, equal for equal ones. */
function numbersOfNames(entries: readonly OnlineTableEntry[]): number[] {
  let number = 0;
  return entries.map(({ name }, index) =>
    index > 0 && name !== entries[index - 1].name ? ++number : number
  );
}

/**
 * How long work goes on without a pause, in milliseconds: about as long as the tick of the event loop that
 * sends events to many clients, so that each has half of the time.
 */
const sliceMs = 25;

/**
 * Makes what divides long work into slices, between which others have their turn: to be called often, and
 * awaited.
 *
 * @param rest resolves when others had their turn.
 */
export function timeSlices(
  clock: Clock,
  rest = () => new Promise<void>((resolve) => setTimeout(resolve)),
): () => Promise<void> {
  let since = -Infinity;
  return async () => {
    if (clock.now() - since < sliceMs) return;
    await rest();
    since = clock.now();
  };
}
