import { type RawBuilder, sql } from "kysely";

/** What SQLite holds in a column; integers are read as `bigint`, all 64 bits of them. */
export type SqliteValue = null | number | bigint | string | Uint8Array;

/** How the values of a column go from SQLite to Postgres, and how Postgres shows what it has. */
export interface ColumnType {
  /** The text by which Postgres shall know the value; null when it has no place in the column. */
  textOf(value: Exclude<SqliteValue, null>): string | null;
  /** What in Postgres answers the same text for the same value. */
  textIn(column: RawBuilder<unknown>): RawBuilder<string>;
}

const integer: ColumnType = {
  textOf: (value) => typeof value === "bigint" ? String(value) : null,
  textIn: asText,
};

const columnTypes: Record<string, ColumnType> = {
  bigint: integer,
  integer,
  boolean: {
    textOf: (value) => value === 0n || value === 1n ? String(value === 1n) : null,
    textIn: asText,
  },
  text: {
    textOf: (value) => typeof value === "string" ? value : null,
    textIn: asText,
  },
  "timestamp with time zone": {
    textOf: (value) => {
      const time = typeof value === "string" ? Date.parse(value) : NaN;
      return Number.isNaN(time) ? null : new Date(time).toISOString();
    },
    textIn: (column) =>
      sql<string>`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  },
};

function asText(column: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`${column}::text`;
}

/**
 * How values of a type of Postgres's are moved.
 *
 * @throws {Error} for a type that no migration has used so far.
 */
export function columnType(name: string): ColumnType {
  const type = columnTypes[name];
  if (!type) throw new Error(`It is not known how to move columns of the type ${name}`);
  return type;
}
