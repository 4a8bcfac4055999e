import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { LogRecord } from "@logtape/logtape";
import fc from "fast-check";
import * as cookie from "@std/http/cookie";
import * as fresh from "fresh";
import { logLine } from "@/server/observability/log_lines.ts";
import { requestIdOf } from "@/server/observability/logging.ts";
import { withoutQueries } from "@/server/observability/traces.ts";
import { packagesText, shims, shimsAmong } from "@/server/observability/shims.ts";
import manifest from "@/deno.json" with { type: "json" };

function record(properties: Record<string, unknown>): LogRecord {
  return {
    category: ["rollcall", "http"],
    level: "warning",
    message: ["It happened"],
    rawMessage: "It happened",
    timestamp: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    properties,
  };
}

const head = "2026-01-02T03:04:05.006Z WARN  http: It happened";

describe("a line of the log", () => {
  it("has time, level, logger, message and fields as text", () => {
    const line = logLine.text(
      record({ requestId: "a-1", status: 503, words: 'two "words"', none: undefined, nil: null }),
    );
    assert.equal(line, `${head} requestId=a-1 status=503 words="two \\"words\\"" nil=null`);
  });

  it("has the items of a list", () => {
    const fields = record({ added: ["1", "two words"] });
    assert.equal(logLine.text(fields), `${head} added=[1, "two words"]`);
    assert.deepEqual(JSON.parse(logLine.json(fields)).added, ["1", "two words"]);
  });

  it("is one JSON object, whose standard names no field can replace", () => {
    const line = logLine.json(record({ requestId: "a-1", status: 503, level: "x", time: "y" }));
    assert.deepEqual(JSON.parse(line), {
      requestId: "a-1",
      status: 503,
      time: "2026-01-02T03:04:05.006Z",
      level: "warn",
      logger: "http",
      message: "It happened",
    });
  });

  it("has name, message and stack of an error, but not its cause and its own fields", () => {
    const error = new TypeError("no such thing", { cause: "inner secret" });
    Object.assign(error, { detail: "Key (email)=(ada@example.com)" });
    const text = logLine.text(record({ error }));
    assert.ok(text.startsWith(`${head} error="TypeError: no such thing"\n    at `), text);
    const json = logLine.json(record({ error }));
    const logged = JSON.parse(json).error;
    assert.deepEqual(Object.keys(logged), ["name", "message", "stack"]);
    for (const line of [text, json]) assert.doesNotMatch(line, /ada@|inner secret/);
  });

  it("does not have the content of objects, which may be secret", () => {
    for (const line of Object.values(logLine)) {
      const text = line(record({ request: { cookie: "c00kie" }, list: [{ value: "c00kie" }] }));
      assert.doesNotMatch(text, /c00kie/);
    }
  });

  it("is cut where a value would fill the log", () => {
    const long = "x".repeat(501);
    const fields = { long, list: Array(101).fill(1), error: new Error(long) };
    const { long: text, list, error } = JSON.parse(logLine.json(record(fields)));
    assert.deepEqual([text.length, list.length, error.message.length], [500, 100, 500]);
  });

  it("cannot be forged by its message", () => {
    const forged = { ...record({}), message: [`It happened\n${head}`] };
    assert.doesNotMatch(logLine.text(forged), /\n/);
  });

  it("cannot be forged by a value: only indented lines of a stack follow it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        assert.doesNotMatch(logLine.text(record({ text })), /[\p{Cc}\p{Zl}\p{Zp}]/u);
        assert.doesNotMatch(logLine.json(record({ text })), /\n/);
        const [first, ...others] = logLine.text(record({ error: new Error(text) })).split("\n");
        assert.ok(first.startsWith(head));
        for (const line of others) assert.match(line, /^ {4}at /);
      }),
      { numRuns: 2_000 },
    );
    const forged = `\n${head}\u2028x`;
    assert.equal(logLine.text(record({ forged })).split(/[\n\u2028]/).length, 1);
  });
});

const id = "X-Request-Id";

describe("the id of a request", () => {
  for (
    const given of [
      "7f3c9a52-0b1e-4d8f-9c64-2f1a5e3b7d80",
      "01ARZ3NDEKTSV4RRFFQ69G5FAV",
      "req_1234.5",
      "a".repeat(128),
    ]
  ) {
    it(`is the one that the request carries: ${given.slice(0, 40)}`, () => {
      assert.equal(requestIdOf(new Headers({ [id]: given })), given);
    });
  }

  for (
    const given of [
      "",
      "short",
      "a".repeat(129),
      "with space",
      "a=b&c=d;e",
      "<script>x</script>",
      "ümlaut123",
    ]
  ) {
    it(`is a new one when the request carries ${JSON.stringify(given.slice(0, 40))}`, () => {
      const made = requestIdOf(new Headers({ [id]: given }));
      assert.match(made, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      assert.notEqual(made, requestIdOf(new Headers({ [id]: given })));
    });
  }
});

const values: [given: unknown, kept: unknown][] = [
  ["http://a.example/setup?token=secret", "http://a.example/setup"],
  ["https://user:secret@a.example:8443/hook#secret", "https://a.example:8443/hook"],
  ["wss://a.example/app/key?protocol=7", "wss://a.example/app/key"],
  [
    "failed for url (http://a.example/x?y=secret): gone",
    "failed for url (http://a.example/x): gone",
  ],
  ["http://a.example/wallboard/secret?x", "http://a.example/wallboard/-"],
  ["/wallboard/secret", "/wallboard/-"],
  ["http://a.example/invite/secret?x", "http://a.example/invite/-"],
  ["/rollcall/reset-password/secret", "/rollcall/reset-password/-"],
  ["see http://[secret?secret", "see (an address)"],
  ["no address ?token=2", "no address ?token=2"],
  [200, 200],
  [undefined, undefined],
];

describe("the values of traces", () => {
  for (const [given, kept] of values) {
    it(`are reduced from ${JSON.stringify(given)} to ${JSON.stringify(kept)}`, () => {
      assert.equal(withoutQueries(given), kept);
    });
  }
});

describe("the shims of a process", () => {
  const links: readonly string[] = (manifest as { links?: string[] }).links ?? [];

  it("are those that deno.json links", () => {
    const linked = [
      ...links.includes("./packages/jsr/fresh") ? ["fresh"] : [],
      ...links.includes("./packages/jsr/std_http") ? ["@std/http"] : [],
    ];
    assert.deepEqual(shims, linked);
    assert.deepEqual(shimsAmong({ fresh, "@std/http": cookie }), linked);
  });

  it("are none where the modules are JSR's", () => {
    assert.deepEqual(shimsAmong({ fresh: { App: class {} }, "@std/http": {} }), []);
  });

  it("are named in the version's text", () => {
    assert.equal(packagesText([]), "packages from JSR");
    assert.equal(packagesText(["fresh"]), "shims for fresh");
    assert.equal(packagesText(["fresh", "@std/http"]), "shims for fresh and @std/http");
  });
});
