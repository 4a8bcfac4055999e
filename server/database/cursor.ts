import { type RawBuilder, sql } from "kysely";

/** A position in a log that is read from the newest entry: after the entry with these values. */
export interface Cursor {
  at: number;
  number: number;
}

const pattern = /^(\d{1,15})-(\d{1,15})$/;

/** A cursor as clients receive it. */
function cursorText({ at, number }: Cursor): string {
  return `${at}-${number}`;
}

/** Reads a cursor from a client; null for any other text. */
export function readCursor(text: string | undefined): Cursor | null {
  const match = text?.match(pattern);
  return match ? { at: Number(match[1]), number: Number(match[2]) } : null;
}

/** The condition for rows after a cursor, in a query that is sorted from the newest row. */
export function isAfter({ at, number }: Cursor): RawBuilder<boolean> {
  return sql<boolean>`("at", "number") < (${at}, ${number})`;
}

/** A page of a log, newest entry first. */
export interface Page<Entry> {
  entries: Entry[];
  /** The cursor of the next page; null on the last page. */
  next: string | null;
}

/** Maximum number of entries of a page. */
const maxPageLength = 1_000;

/** The number of entries of a page: the requested one, within 1 and 1,000. */
export function pageLength(limit: number): number {
  return Math.min(Math.max(Math.trunc(limit) || 0, 1), maxPageLength);
}

/**
 * Makes a page of the result of a query.
 *
 * @param rows from a query with a limit of `length + 1`: an additional row means that a page follows.
 */
export function pageOf<Row extends Cursor, Entry>(
  rows: Row[],
  length: number,
  entryOf: (row: Row) => Entry,
): Page<Entry> {
  const own = rows.slice(0, length);
  return {
    entries: own.map(entryOf),
    next: rows.length > length ? cursorText(own[length - 1]) : null,
  };
}

/** Far below the number of parameters that a statement may have. */
const batchSize = 500;

/** Splits ids into batches that fit into one query each. */
export function* idBatches(ids: readonly string[]): Generator<string[]> {
  for (let start = 0; start < ids.length; start += batchSize) {
    yield ids.slice(start, start + batchSize);
  }
}
