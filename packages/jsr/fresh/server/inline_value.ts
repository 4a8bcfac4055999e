/**
 * A value as JavaScript source for an inline script: what JSON carries, and undefined. "<" is escaped,
 * so that no string can end the script. Throws a TypeError that says what cannot be carried.
 */
export function inlineValue(value: unknown, inside: readonly unknown[] = []): string {
  if (value === undefined) return "undefined";
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value !== "object") {
    throw new TypeError(`Serializing ${nameOf(value)} is not supported.`);
  }
  if (inside.includes(value)) {
    throw new TypeError("Serializing circular values is not supported.");
  }
  const within = [...inside, value];
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item) => inlineValue(item, within)).join()}]`;
  }
  if (!isPlain(value)) {
    throw new TypeError(`Serializing ${nameOf(value)} is not supported.`);
  }
  // In brackets, as a bare "__proto__" would set the prototype.
  const members = Object.entries(value).map(([key, member]) =>
    `[${quoted(key)}]:${inlineValue(member, within)}`
  );
  return `{${members.join()}}`;
}

function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("<", "\\u003c");
}

function isPlain(value: object): boolean {
  if ("constructor" in value && value.constructor === undefined) return false; // an element of preact
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function nameOf(value: unknown): string {
  if (typeof value === "function") return "functions";
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  if (value.constructor === undefined) return "JSX";
  return `instances of ${value.constructor.name}`;
}
