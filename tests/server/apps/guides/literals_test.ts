import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { dotenvValue, singleQuoted } from "@/server/apps/guides/pusher_js_options.ts";

describe("values in PHP, Ruby and .env", () => {
  it("are in single quotes, which only a backslash escapes", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
      const inner = /^'((?:[^\\']|\\[\\'])*)'$/.exec(singleQuoted(text))?.[1];
      assert.equal(inner?.replace(/\\([\\'])/g, "$1"), text);
    }));
  });

  it("stand in .env as they are when they are plain, and else in quotes without variables", () => {
    assert.equal(dotenvValue("a-secret_1.b/c:d[e]"), "a-secret_1.b/c:d[e]");
    assert.equal(dotenvValue('a "b" $c \\ d\ne'), '"a \\"b\\" \\$c \\\\ d\\ne"');
  });
});
