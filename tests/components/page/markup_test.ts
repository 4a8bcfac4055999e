import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { removeClassWildcard, toggleText } from "@/components/page/markup.ts";

describe("toggleText", () => {
  const toggled = (text: string | null) => {
    const element = { textContent: text };
    toggleText(element, "Show names", "Hide names");
    return element.textContent;
  };

  it("changes one text to the other and back", () => {
    assert.equal(toggled("Show names"), "Hide names");
    assert.equal(toggled("Hide names"), "Show names");
    assert.equal(toggled("\n  Show names\n"), "Hide names");
  });

  it("sets the first text when the present one is neither", () => {
    for (const text of ["", null, "show names", "Show", "Show names|Hide names"]) {
      assert.equal(toggled(text), "Show names");
    }
  });

  it("always sets one of the two, and the other at the next call", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const first = toggled(text);
        assert.ok(first === "Show names" || first === "Hide names");
        assert.notEqual(toggled(first), first);
      }),
    );
  });
});

/** Stands in for an element: classes without doubles, in order. */
function elementWith(...names: string[]) {
  const classes = new Set(names);
  return {
    classList: {
      remove: (...removed: string[]) => removed.forEach((name) => classes.delete(name)),
      [Symbol.iterator]: () => classes.values(),
    },
  };
}

function left(names: string[], pattern: string): string[] {
  const element = elementWith(...names);
  removeClassWildcard(element, pattern);
  return [...element.classList];
}

describe("removeClassWildcard", () => {
  it("removes the classes that the pattern matches as a whole", () => {
    const names = ["status-live", "status-", "my-status-live", "status", "card"];
    assert.deepEqual(left(names, "status-*"), ["my-status-live", "status", "card"]);
    assert.deepEqual(left(names, "*status*"), ["card"]);
    assert.deepEqual(left(names, "*-live"), ["status-", "status", "card"]);
    assert.deepEqual(left(names, "s*s"), ["status-live", "status-", "my-status-live", "card"]);
    assert.deepEqual(left(names, "*"), []);
  });

  it("matches a pattern without a star exactly", () => {
    assert.deepEqual(left(["status", "status-live"], "status"), ["status-live"]);
    assert.deepEqual(left(["status"], ""), ["status"]);
  });

  it("matches every character but the star literally", () => {
    const names = ["a.c", "abc", "w-1/2", "[x]", "a+", "aa", "^a$"];
    assert.deepEqual(left(names, "a.c"), ["abc", "w-1/2", "[x]", "a+", "aa", "^a$"]);
    assert.deepEqual(left(names, "[x]"), ["a.c", "abc", "w-1/2", "a+", "aa", "^a$"]);
    assert.deepEqual(left(names, "a+"), ["a.c", "abc", "w-1/2", "[x]", "aa", "^a$"]);
    assert.deepEqual(left(names, "^a$"), ["a.c", "abc", "w-1/2", "[x]", "a+", "aa"]);
    assert.deepEqual(left(names, ".*"), names);
  });

  it("agrees with an escaped regular expression for every pattern and name", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "-", ".", "$", "(", "\\") });
    const pattern = fc.array(fc.oneof(word, fc.constant("*"))).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.array(word.filter((name) => name !== "")), pattern, (names, pattern) => {
        const escaped = pattern.split("*").map((part) => part.replace(/[$().\\]/g, "\\$&"));
        const whole = new RegExp(`^${escaped.join(".*")}$`);
        const expected = [...new Set(names)].filter((name) => !whole.test(name));
        assert.deepEqual(left(names, pattern), expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is fast for a pattern that would stall a backtracking search", () => {
    const name = "a".repeat(20_000);
    const pattern = "*a".repeat(200) + "b";
    assert.deepEqual(left([name], pattern), [name]);
  });
});
