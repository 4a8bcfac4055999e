import type { SqliteValue } from "./column_types.ts";

/** A row of SQLite's. */
export type Row = Record<string, SqliteValue>;

const maxRows = 1_000;

/** In characters and bytes: a batch of long rows shall not need the memory that many short ones may. */
const maxSize = 4_000_000;

/** Gathers rows into batches of a size that memory has room for, whatever the size of the table. */
export function* batches(rows: Iterable<Row>): Generator<Row[]> {
  let batch: Row[] = [];
  let size = 0;
  for (const row of rows) {
    batch.push(row);
    size += sizeOf(row);
    if (batch.length < maxRows && size < maxSize) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}

function sizeOf(row: Row): number {
  let size = 0;
  for (const value of Object.values(row)) {
    size += typeof value === "string" || value instanceof Uint8Array ? value.length : 8;
  }
  return size;
}
