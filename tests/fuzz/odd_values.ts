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
