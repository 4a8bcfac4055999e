import { type RawBuilder, sql } from "kysely";

/** A value in SQLite. Integers are read as `bigint`, to keep all 64 bits. */
export type SqliteValue = null | number | bigint | string | Uint8Array;

/** How to convert the values of a column from SQLite to PostgreSQL, and how to compare them. */
export interface ColumnType {
  /** @returns the value as PostgreSQL's text; null when the column cannot store it. */
  textOf(value: Exclude<SqliteValue, null>): string | null;
  /** @returns an expression in PostgreSQL with the same text for the same value. */
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
 * The conversion for a type of PostgreSQL.
 *
 * @throws {Error} for a type that no migration uses yet.
 */
export function columnType(name: string): ColumnType {
  const type = columnTypes[name];
  if (!type) throw new Error(`There is no conversion for columns of the type ${name}`);
  return type;
}
