import { type RawBuilder, sql, type Transaction } from "kysely";
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { DatabaseError } from "./unavailable.ts";
import type { Tables } from "./schema.ts";
import type { Column, Table } from "./table_layout.ts";

/** A value in SQLite. Integers are read as `bigint`, to keep all 64 bits. */
type SqliteValue = null | number | bigint | string | Uint8Array;

/** How to convert the values of a column from SQLite to PostgreSQL, and how to compare them. */
interface ColumnType {
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
function columnType(name: string): ColumnType {
  const type = columnTypes[name];
  if (!type) throw new Error(`There is no conversion for columns of the type ${name}`);
  return type;
}

/** A row of a SQLite table. */
type Row = Record<string, SqliteValue>;

const maxRows = 1_000;

/** Size of a batch of long rows, in characters and bytes. */
const maxSize = 4_000_000;

/** Groups rows into batches of bounded size, so that memory does not grow with the table. */
function* batches(rows: Iterable<Row>): Generator<Row[]> {
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

const valueSchema = z.union([
  z.null(),
  z.number(),
  z.bigint(),
  z.string(),
  z.instanceof(Uint8Array),
]);
const rowSchema = z.record(z.string(), valueSchema);
const countSchema = z.object({ count: z.coerce.number() });
const foundSchema = z.array(z.record(z.string(), z.string().nullable()));

/** Copies the rows of a table from SQLite to an empty table of PostgreSQL, and compares them. */
export class TableCopy {
  readonly #source: DatabaseSync;
  readonly #target: Transaction<Tables>;
  readonly #table: Table;

  constructor(source: DatabaseSync, target: Transaction<Tables>, table: Table) {
    this.#source = source;
    this.#target = target;
    this.#table = table;
  }

  /**
   * Copies all rows.
   *
   * @throws {DatabaseError} when PostgreSQL cannot store a value.
   */
  async copy(): Promise<void> {
    const { name, columns } = this.#table;
    columns.forEach((column) => this.#refuseCutText(column));
    const names = sql.join(columns.map((column) => sql.ref(column.name)));
    for (const rows of batches(this.#rows())) {
      const values = sql.join(columns.map((column) => this.#arrayOf(column, rows)));
      await this.#run(
        sql`insert into ${sql.table(name)} (${names}) select * from unnest(${values})`,
      );
    }
    for (const { name: column, sequence } of columns) {
      if (sequence === null) continue;
      const next = sql`coalesce(max(${sql.ref(column)}), 0) + 1`;
      await this.#run(sql`select setval(${sequence}, ${next}, false) from ${sql.table(name)}`);
    }
  }

  /**
   * Reads both tables and compares all rows.
   *
   * @returns the number of rows.
   * @throws {DatabaseError} when a row is missing, differs or is additional.
   */
  async compare(): Promise<number> {
    let compared = 0;
    for (const rows of batches(this.#rows())) {
      const copies = await this.#find(rows);
      for (const row of rows) this.#compareRow(row, copies.get(this.#keyOf(row)));
      compared += rows.length;
    }
    const counted = await this.#run(sql`select count(*) as count from ${this.#name}`);
    if (countSchema.parse(counted[0]).count !== compared) throw this.#fault("has additional rows");
    return compared;
  }

  get #name(): RawBuilder<unknown> {
    return sql.table(this.#table.name);
  }

  get #keys(): Column[] {
    return this.#table.columns.filter(({ isKey }) => isKey);
  }

  *#rows(): Generator<Row> {
    const names = this.#table.columns.map(({ name }) => `"${name}"`);
    const statement = this.#source.prepare(`select ${names} from "${this.#table.name}"`);
    statement.setReadBigInts(true);
    for (const row of statement.iterate()) yield rowSchema.parse(row);
  }

  /** PostgreSQL cannot store NUL, and Deno reads text from SQLite only up to the first one. */
  #refuseCutText(column: Column): void {
    if (column.type !== "text") return;
    const cut = this.#source.prepare(
      `select 1 from "${this.#table.name}" where instr("${column.name}", char(0)) limit 1`,
    );
    if (cut.get()) throw this.#unfit(column);
  }

  /** Finds the rows of PostgreSQL with the keys of these rows, by their keys. */
  async #find(rows: Row[]): Promise<Map<string, Record<string, string | null>>> {
    const keys = this.#keys;
    const texts = this.#table.columns.map(({ name, type }) =>
      sql`${columnType(type).textIn(sql.ref(`found.${name}`))} as ${sql.ref(name)}`
    );
    const names = sql.join(keys.map(({ name }) => sql.ref(name)));
    const values = sql.join(keys.map((column) => this.#arrayOf(column, rows)));
    const copies = foundSchema.parse(
      await this.#run(sql`
        select ${sql.join(texts)} from unnest(${values}) as wanted(${names})
        join ${this.#name} as found using (${names})`),
    );
    return new Map(copies.map((row) => [joined(keys.map(({ name }) => row[name])), row]));
  }

  #compareRow(row: Row, found: Record<string, string | null> | undefined): void {
    if (!found) throw this.#fault("lacks a row");
    for (const column of this.#table.columns) {
      if (this.#textOf(column, row[column.name]) === found[column.name]) continue;
      throw this.#fault(`has another value in "${column.name}"`);
    }
  }

  #keyOf(row: Row): string {
    return joined(this.#keys.map((column) => this.#textOf(column, row[column.name])));
  }

  /** The values of a column in all rows, as an array of PostgreSQL. */
  #arrayOf(column: Column, rows: Row[]): RawBuilder<unknown> {
    const texts = rows.map((row) => this.#textOf(column, row[column.name]));
    return sql`${texts}::${sql.raw(column.type)}[]`;
  }

  #textOf(column: Column, value: SqliteValue): string | null {
    if (value === null) return null;
    const text = columnType(column.type).textOf(value);
    if (text === null) throw this.#unfit(column);
    return text;
  }

  #unfit({ name }: Column): DatabaseError {
    return this.#fault(`cannot store a value that the embedded database has in "${name}"`);
  }

  async #run(query: RawBuilder<unknown>): Promise<unknown[]> {
    try {
      return (await query.execute(this.#target)).rows;
    } catch (error) {
      throw this.#fault(`reports: ${error instanceof Error ? error.message : error}`);
    }
  }

  #fault(fault: string): DatabaseError {
    return new DatabaseError(`The table "${this.#table.name}" of PostgreSQL ${fault}`);
  }
}

function joined(key: (string | null)[]): string {
  return JSON.stringify(key);
}
