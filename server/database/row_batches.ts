import type { SqliteValue } from "./column_types.ts";

/** A row of a SQLite table. */
export type Row = Record<string, SqliteValue>;

const maxRows = 1_000;

/** Size of a batch of long rows, in characters and bytes. */
const maxSize = 4_000_000;

/** Groups rows into batches of bounded size, so that memory does not grow with the table. */
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
