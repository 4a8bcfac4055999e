import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { LogRecord } from "@logtape/logtape";
import fc from "fast-check";
import { logLine } from "@/server/observability/log_lines.ts";

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
