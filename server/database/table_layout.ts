import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { Tables } from "./schema.ts";
import type { DatabaseSync } from "node:sqlite";
import { DatabaseError } from "./unavailable.ts";
import { newestMigration, tooNew } from "./migrations.ts";
import { faultOf } from "./sqlite_dialect.ts";

/** A column of a table in PostgreSQL. */
export interface Column {
  name: string;
  /** PostgreSQL's name of the type, such as `timestamp with time zone`. */
  type: string;
  isKey: boolean;
  /** The sequence that generates its values, if there is one. */
  sequence: string | null;
}

/** A table in PostgreSQL. */
export interface Table {
  name: string;
  columns: Column[];
  /** The tables that its foreign keys refer to. */
  refersTo: string[];
}

const columnsSchema = z.array(
  z.object({
    table: z.string(),
    name: z.string(),
    type: z.string(),
    isKey: z.boolean(),
    sequence: z.string().nullable(),
  }),
);

const referencesSchema = z.array(z.object({ table: z.string(), refersTo: z.string() }));

/** Reads the tables of a PostgreSQL database, in the current schema. */
export async function readTables(queries: Kysely<Tables>): Promise<Table[]> {
  const columns = columnsSchema.parse(
    (await sql`
      select class.relname as "table", attribute.attname as "name",
        format_type(attribute.atttypid, attribute.atttypmod) as "type",
        coalesce(attribute.attnum = any(key.indkey), false) as "isKey",
        pg_get_serial_sequence(class.oid::regclass::text, attribute.attname) as "sequence"
      from pg_class class
      join pg_attribute attribute on attribute.attrelid = class.oid
      left join pg_index key on key.indrelid = class.oid and key.indisprimary
      where class.relkind in ('r', 'p') and class.relnamespace = current_schema()::regnamespace
        and attribute.attnum > 0 and not attribute.attisdropped
      order by class.relname, attribute.attnum`.execute(queries)).rows,
  );
  const references = referencesSchema.parse(
    (await sql`
      select referring.relname as "table", referred.relname as "refersTo"
      from pg_constraint
      join pg_class referring on referring.oid = conrelid
      join pg_class referred on referred.oid = confrelid
      where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(queries)).rows,
  );
  return [...Map.groupBy(columns, ({ table }) => table)].map(([name, columns]) => ({
    name,
    columns: columns.map(({ table: _, ...column }) => column),
    refersTo: references.filter(({ table }) => table === name).map(({ refersTo }) => refersTo),
  }));
}

/**
 * Sorts tables so that each comes after the tables that it refers to.
 *
 * @throws {Error} when tables refer to each other in a cycle.
 */
export function inOrderOfReferences(tables: Table[]): Table[] {
  const ordered: Table[] = [];
  let left = tables;
  while (left.length > 0) {
    const names = new Set(left.map(({ name }) => name));
    const free = left.filter((table) =>
      !table.refersTo.some((name) => name !== table.name && names.has(name))
    );
    if (free.length === 0) {
      throw new Error(`Tables refer to each other in a cycle: ${[...names].join(", ")}`);
    }
    ordered.push(...free);
    left = left.filter((table) => !free.includes(table));
  }
  return ordered;
}

const integritySchema = z.tuple([z.object({ integrity_check: z.literal("ok") })]);
const versionSchema = z.object({ version: z.int().positive() });

/**
 * Reads the complete file and checks its integrity.
 *
 * @param name of the file in errors.
 * @returns the number of its migrations.
 * @throws {DatabaseError} when a page, an index or a reference is damaged, when it is not Rollcall's
 * database, or when a newer version wrote it.
 */
export function verify(database: DatabaseSync, name: string): number {
  const version = versionOf(database, name);
  if (version > newestMigration) throw tooNew(name, version);
  const integrity = query(database, name, "pragma integrity_check(1)");
  if (!integritySchema.safeParse(integrity).success) throw new DatabaseError(`${name} is damaged`);
  if (query(database, name, "pragma foreign_key_check").length > 0) {
    throw new DatabaseError(`${name} is damaged: it refers to missing rows`);
  }
  return version;
}

function versionOf(database: DatabaseSync, name: string): number {
  const tables = query(database, name, "select 1 from sqlite_master where name = 'migration'");
  if (tables.length === 0) throw new DatabaseError(`${name} is not a database of Rollcall`);
  const [row] = query(database, name, "select max(number) as version from migration");
  const parsed = versionSchema.safeParse(row);
  if (!parsed.success) throw new DatabaseError(`${name} is not a database of Rollcall`);
  return parsed.data.version;
}

function query(database: DatabaseSync, name: string, statement: string): unknown[] {
  try {
    return database.prepare(statement).all();
  } catch (error) {
    throw new DatabaseError(`${name} is damaged: ${faultOf(error)}`);
  }
}
