import type { z } from "zod";

/** Something that an operator can set: the values that it takes, and its text in the reference. */
export interface Field<Schema extends z.ZodType = z.ZodType> {
  schema: Schema;
  /** What it does: whole sentences, in Markdown. */
  about: string;
  /** Its value when it is not given, where the schema does not fill one in. */
  default?: string | number | boolean;
  /** What holds when it is not given, in Markdown, where that is no fixed value. */
  otherwise?: string;
  /** The unit of a number. */
  unit?: string;
}

/** The schema of each field, by its name. */
export type SchemasOf<Fields extends Record<string, Field>> = {
  [Name in keyof Fields]: Fields[Name]["schema"];
};

/** The schemas without the texts, as zod's objects take them. */
export function schemasOf<Fields extends Record<string, Field>>(
  fields: Fields,
): SchemasOf<Fields> {
  const schemas = Object.entries(fields).map(([name, { schema }]) => [name, schema]);
  return Object.fromEntries(schemas) as SchemasOf<Fields>;
}
