import type { Field } from "@/server/config/setting.ts";

/** A text that every field with a form of its own refuses. */
const refusedByAll = "\u0000";

/**
 * What a field accepts, in the words of the fault that a wrong value gets, without those about that value
 * after a semicolon; undefined for any text.
 */
export function valuesOf({ schema }: Field): string | undefined {
  const parsed = schema.safeParse(refusedByAll);
  return parsed.error?.issues[0].message.split("; ")[0];
}

/** The value of a field that is not given; undefined when there is none, or none that is fixed. */
export function defaultOf({ schema, default: stated }: Field): string | undefined {
  const value = stated ?? schema.safeParse(undefined).data;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined;
  return String(value);
}
