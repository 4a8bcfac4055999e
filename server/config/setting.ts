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
type SchemasOf<Fields extends Record<string, Field>> = {
  [Name in keyof Fields]: Fields[Name]["schema"];
};

/** The schemas without the texts, as zod's objects take them. */
export function schemasOf<Fields extends Record<string, Field>>(
  fields: Fields,
): SchemasOf<Fields> {
  const schemas = Object.entries(fields).map(([name, { schema }]) => [name, schema]);
  return Object.fromEntries(schemas) as SchemasOf<Fields>;
}

/** The parts of the reference, in their order. */
export const settingGroups = [
  "Address",
  "Sign-in",
  "Email",
  "Counting",
  "Data",
  "Pusher apps",
  "Client features",
  "Limits",
  "HTTPS and proxies",
  "Several servers",
  "External Pusher server",
  "From Laravel Reverb",
  "Logs and metrics",
  "Start and stop",
] as const;

/** A setting: one environment variable. */
export interface Setting extends Field {
  group: typeof settingGroups[number];
  /** A value that shows the form, for a setting without a default that could. */
  example?: string;
  /** The name of earlier versions, which is still read. */
  formerly?: string;
  /** Its value is never printed. */
  secret?: true;
}

/** Maximum size of a file that a setting names, in bytes. */
export const maxFileBytes = 1_048_576;

/**
 * Reads a text file that a setting names.
 *
 * @throws {Error} when it is not a file, cannot be read, or is larger than {@link maxFileBytes}.
 */
export function readSettingFile(path: string): string {
  const { isFile, size } = Deno.statSync(path);
  if (!isFile || size > maxFileBytes) throw new Deno.errors.InvalidData("not a small file");
  return Deno.readTextFileSync(path);
}

/** Reads a text file, or throws. */
export type ReadFile = (path: string) => string;

/** Settings are invalid. `problems` has one line for each of them, without secrets. */
export class ConfigError extends Error {
  override name = "ConfigError";
  constructor(readonly problems: string[]) {
    super(problems.join("\n"));
  }
}
