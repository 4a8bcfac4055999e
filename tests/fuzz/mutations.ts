import fc from "fast-check";

/** Texts that programs stumble over. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "\0",
    "\r\n",
    "null",
    "10",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "\ud800",
    "ends in half of a pair \ud83d",
    "\ufeffä€😀\u2028",
    "../%2e%2e/%00",
    "x".repeat(129),
    "x".repeat(165),
    "x".repeat(5_000),
    "ä".repeat(20_000),
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
);

/** Values of JSON, of every type. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom(null, true, false, 0, -1, 0.5, 2 ** 53, 1e308, [], {}, [[[]]], {
    toString: 1,
    valueOf: 1,
  }),
  fc.integer(),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Texts that are no frame, or hardly one; some would overflow a careless parser's stack. */
export const oddJson: fc.Arbitrary<string> = fc.oneof(
  oddText,
  fc.json(),
  fc.constantFrom(
    '{"event":',
    '{"event":"pusher:ping"}}',
    '{"event":1e999}',
    '{"__proto__":{"event":"pusher:ping"}}',
    '{"event":"pusher:subscribe","data":{"__proto__":{"channel":"news"}}}',
    "[".repeat(7_000),
    '{"event":"x","data":' + '{"a":'.repeat(40) + "1" + "}".repeat(41),
    JSON.stringify({ event: "pusher:ping", data: "x".repeat(70_000) }),
  ),
);

/** Any bytes. */
export const bytes: fc.Arbitrary<Uint8Array> = fc.uint8Array({ maxLength: 60 });

/** Mostly none, sometimes one or two. */
export function few<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant<T[]>([]) },
    { weight: 1, arbitrary: fc.array(arbitrary, { minLength: 1, maxLength: 2 }) },
  );
}

/** How a right value is made a little wrong. */
export type Mutation =
  | { put: unknown; at: number[] }
  | { remove: number[] };

/** Ways to make a value wrong somewhere in its depth. */
export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ put: oddValue, at: fc.array(fc.nat(5), { maxLength: 3 }) }),
  fc.record({ remove: fc.array(fc.nat(5), { minLength: 1, maxLength: 3 }) }),
);

/** The value with another one, or none, at a place; each number chooses a key, one level deeper. */
export function mutated(value: unknown, mutation: Mutation): unknown {
  return "put" in mutation
    ? replaced(value, mutation.at, () => [mutation.put])
    : replaced(value, mutation.remove, () => []);
}

function replaced(value: unknown, path: number[], replacements: () => unknown[]): unknown {
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  if (path.length === 0 || keys.length === 0) return replacements()[0] ?? null;
  const chosen = keys[path[0] % keys.length];
  const entries = Object.entries(value as object).flatMap(([key, inner]) => {
    if (key !== chosen) return [[key, inner]];
    if (path.length === 1) return replacements().map((other) => [key, other]);
    return [[key, replaced(inner, path.slice(1), replacements)]];
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** How a right text is made a little wrong. */
export interface Edit {
  /** Where, as a share of the text. */
  at: number;
  /** How many characters go. */
  remove: number;
  insert: string;
}

/** Ways to make a text wrong at one place. */
export const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.oneof(fc.nat(3), fc.constant(1_000)),
  insert: fc.oneof(
    fc.constantFrom('"', "{", "}", "[", ",", ":", "\\", "\\ud800", "&", "=", "%", "/", ""),
    oddText,
  ),
});

/** The text with the edit. */
export function edited(text: string, { at, remove, insert }: Edit): string {
  const index = Math.floor(at * text.length);
  return text.slice(0, index) + insert + text.slice(index + remove);
}

/** A key that stands twice in an object, and before or after the right one. */
export interface Double {
  key: string;
  value: unknown;
  isFirst: boolean;
}

/** Ways to say a thing twice. */
export const double: fc.Arbitrary<Double> = fc.record({
  key: fc.constantFrom("event", "data", "channel", "__proto__", "constructor"),
  value: oddValue,
  isFirst: fc.boolean(),
});

/** The text of a JSON object with one key more, whether it is there already or not. */
export function withDouble(text: string, { key, value, isFirst }: Double): string {
  if (!/^\{.+\}$/s.test(text)) return text;
  const member = `${JSON.stringify(key)}:${JSON.stringify(value)}`;
  return isFirst ? `{${member},${text.slice(1)}` : `${text.slice(0, -1)},${member}}`;
}
