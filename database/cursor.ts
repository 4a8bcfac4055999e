import { type RawBuilder, sql } from "kysely";

/** A place in a log that is read from its newest entry on: just after this entry. */
export interface Cursor {
  at: number;
  number: number;
}

const pattern = /^(\d{1,15})-(\d{1,15})$/;

/** A cursor as it is handed to clients. */
function cursorText({ at, number }: Cursor): string {
  return `${at}-${number}`;
}

/** The cursor that a client gave back, or null for what is none. */
export function readCursor(text: string | undefined): Cursor | null {
  const match = text?.match(pattern);
  return match ? { at: Number(match[1]), number: Number(match[2]) } : null;
}

/** What is true of the rows after a cursor, of a query that goes from the newest row on. */
export function isAfter({ at, number }: Cursor): RawBuilder<boolean> {
  return sql<boolean>`("at", "number") < (${at}, ${number})`;
}

/** Entries of a log, newest first. */
export interface Page<Entry> {
  entries: Entry[];
  /** What to ask for the entries after these with; null when there are none. */
  next: string | null;
}

/** The most entries of one page. */
const longestPage = 1_000;

/** How many entries a page has that was asked to have so many. */
export function pageLength(limit: number): number {
  return Math.min(Math.max(Math.trunc(limit) || 0, 1), longestPage);
}

/** The page of the rows that a query found when it was asked for one more than the page's length. */
export function pageOf<Row extends Cursor, Entry>(
  rows: Row[],
  length: number,
  entryOf: (row: Row) => Entry,
): Page<Entry> {
  const shown = rows.slice(0, length);
  return {
    entries: shown.map(entryOf),
    next: rows.length > length ? cursorText(shown[length - 1]) : null,
  };
}
