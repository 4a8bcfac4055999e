import type { FoundEntry, FoundGroup } from "@/shared/find.ts";
import { countText } from "@/shared/text.ts";
import { text } from "@/shared/language.ts";

/** How many of the entries that a reader opened last are kept. */
const mostRecent = 5;

/** Where the tab keeps them: they are forgotten with it. */
const storedAs = "rollcall-find";

/** The part of a tab's store that is used. */
export interface RecentStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** The entries that the reader opened last in this tab, the latest first; none of another reader. */
export function recentEntries(store: RecentStore, reader: string): FoundEntry[] {
  try {
    const stored = JSON.parse(store.getItem(storedAs) ?? "null");
    return stored?.reader === reader ? stored.entries : [];
  } catch {
    // Storing is not allowed, or the store has something else.
    return [];
  }
}

/** Keeps that the reader opened an entry. */
export function rememberEntry(store: RecentStore, reader: string, entry: FoundEntry): void {
  const before = recentEntries(store, reader).filter(({ path }) => path !== entry.path);
  const entries = [entry, ...before].slice(0, mostRecent);
  try {
    store.setItem(storedAs, JSON.stringify({ reader, entries }));
  } catch {
    // Storing is not allowed.
  }
}

/** The groups that the dialog shows: before anything is typed, the recent entries first, and each entry once. */
export function shownGroups(
  groups: readonly FoundGroup[],
  sought: string,
  recent: readonly FoundEntry[],
): FoundGroup[] {
  if (sought !== "" || recent.length === 0) return [...groups];
  const isRecent = (entry: FoundEntry) =>
    recent.some(({ path, title }) => path === entry.path && title === entry.title);
  const others = groups.map(({ title, entries }) => (
    { title, entries: entries.filter((entry) => !isRecent(entry)) }
  ));
  return [
    { title: text`Recent`, entries: recent },
    ...others.filter(({ entries }) => entries.length),
  ];
}

/** The number of the active entry after an arrow key; past an end it goes on at the other. */
export function movedBy(key: string, active: number, count: number): number {
  if (count === 0) return 0;
  return (active + (key === "ArrowDown" ? 1 : count - 1)) % count;
}

/** How much was found, for screen readers, and for all readers when it is nothing. */
export function foundText(count: number, sought: string): string {
  return count === 0 ? text`No results for “${sought}”.` : countText(count, "result");
}

/** The keys of a page, each with what it does. */
export function keysOf(
  { isMac, hasSearch, hasPanel }: { isMac: boolean; hasSearch: boolean; hasPanel: boolean },
): [keys: string[], explanation: string][] {
  return [
    [isMac ? ["⌘", "K"] : ["Ctrl", "K"], text`Search or jump to a person, page, channel or action`],
    [["/"], hasSearch ? text`Search on this page` : text`Search or jump`],
    [["↑", "↓"], text`Choose among results`],
    ...hasPanel
      ? [[["↑", "↓"], text`With a person beside the list: the person above or below`]] satisfies [
        string[],
        string,
      ][]
      : [],
    [["Enter"], text`Open what is chosen`],
    [
      ["Esc"],
      hasPanel ? text`Close a dialog, or the person beside the list` : text`Close a dialog`,
    ],
    [["?"], text`Show these keys`],
  ];
}
