/** Reverb's name for an app's id. */
const otherNames = new Map([["app_id", "id"]]);

/** Names are found this deep in an app: itself, its list of webhooks, a webhook. */
const maxDepth = 2;

/**
 * Spells the names of an app's fields in snake_case, as lists of apps have them: Soketi's
 * `maxConnections` is `max_connections`.
 *
 * @param value any JSON value.
 * @param twice hears of each name that one object has in two spellings.
 */
export function respelled(
  value: unknown,
  twice: (path: PropertyKey[]) => void,
  path: PropertyKey[] = [],
): unknown {
  if (typeof value !== "object" || value === null || path.length > maxDepth) return value;
  const inner = (item: unknown, step: PropertyKey) => respelled(item, twice, [...path, step]);
  if (Array.isArray(value)) return value.map(inner);
  const fields = new Map<string, unknown>();
  for (const [spelling, item] of Object.entries(value)) {
    const name = nameOf(spelling);
    if (fields.has(name)) twice([...path, name]);
    fields.set(name, inner(item, name));
  }
  return Object.fromEntries(fields);
}

function nameOf(spelling: string): string {
  const name = spelling.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return otherNames.get(name) ?? name;
}
