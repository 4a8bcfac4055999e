import { otherSpellings } from "./foreign_app_fields.ts";

/** How deep names occur in an app: in itself, in its list of webhooks, in a webhook. */
const maxDepth = 2;

/**
 * Converts the names of an app's fields to snake_case: Soketi's `maxConnections` becomes
 * `max_connections`. Fields that are null or empty, as exports have them, count as not given.
 *
 * @param value any JSON value.
 * @param onDuplicate called with the path of each name that one object has in two spellings.
 */
export function toFieldNames(
  value: unknown,
  onDuplicate: (path: PropertyKey[]) => void,
  path: PropertyKey[] = [],
): unknown {
  if (typeof value !== "object" || value === null || path.length > maxDepth) return value;
  const inner = (item: unknown, step: PropertyKey) =>
    toFieldNames(item, onDuplicate, [...path, step]);
  if (Array.isArray(value)) return value.map(inner);
  const fields = new Map<string, unknown>();
  for (const [spelling, item] of Object.entries(value)) {
    if (item === null || item === "") continue;
    const name = fieldNameOf(spelling);
    if (fields.has(name)) onDuplicate([...path, name]);
    fields.set(name, inner(item, name));
  }
  return Object.fromEntries(fields);
}

/** The name of a field in snake_case, from any spelling. */
export function fieldNameOf(spelling: string): string {
  const name = spelling.replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return otherSpellings.get(name) ?? name;
}
