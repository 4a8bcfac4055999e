import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { removeClassWildcard, toggleText } from "@/components/page/markup.ts";
import { sendForm } from "@/components/page/confirm.ts";
import { colorOf, initialsColors, initialsOf } from "@/components/page/initials.ts";

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

/** Stands in for a form of a page. */
class FakeForm {
  ariaBusy: string | null = null;
  resets = 0;
  outcome = { className: "", textContent: null as string | null };
  getAttribute = () => "/admin/messages";
  querySelector = () => this.outcome;
  reset = () => void this.resets++;
}

describe("a form that the page sends itself", () => {
  const originalFetch = globalThis.fetch;
  let form: FakeForm;
  let sent: string[];
  let answer: () => Promise<Response>;
  const data: [string, string][] = [["text", "Hi & bye"], ["confirmed", "yes"]];

  beforeEach(() => {
    form = new FakeForm();
    sent = [];
    answer = () => Promise.resolve(Response.json({ message: "Message sent." }));
    globalThis.fetch = (input, init) => {
      sent.push(`${init?.method} ${input} ${init?.body}`);
      return answer();
    };
  });
  afterEach(() => {
    globalThis.fetch = originalFetch;
  });

  it("is sent once, however often its button is pressed before the answer", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    answer = () => promise;
    const sendings = [sendForm(form, data), sendForm(form, data), sendForm(form, data)];
    resolve(Response.json({ message: "Message sent." }));
    await Promise.all(sendings);
    assert.deepEqual(sent, ["POST /admin/messages text=Hi+%26+bye&confirmed=yes"]);
  });

  it("is empty after it was accepted, says so and can be sent again", async () => {
    await sendForm(form, data);
    assert.equal(form.resets, 1);
    assert.deepEqual(form.outcome, {
      className: "notice notice-success",
      textContent: "Message sent.",
    });
    await sendForm(form, data);
    assert.equal(sent.length, 2);
  });

  it("keeps what was written when it was refused, with the reason", async () => {
    answer = () => Promise.resolve(Response.json({ message: "Too long." }, { status: 422 }));
    await sendForm(form, data);
    assert.equal(form.resets, 0);
    assert.deepEqual(form.outcome, {
      className: "notice notice-error",
      textContent: "Too long.",
    });
  });

  for (
    const [what, failing] of [
      ["the network fails", () => Promise.reject(new TypeError("Failed to fetch"))],
      ["a proxy answers with a page", () => Promise.resolve(new Response("<h1>Bad gateway</h1>"))],
    ] as const
  ) {
    it(`keeps what was written and can be sent again when ${what}`, async () => {
      answer = failing;
      await sendForm(form, data);
      assert.equal(form.resets, 0);
      assert.match(String(form.outcome.textContent), /^Couldn't reach the server/);
      await sendForm(form, data);
      assert.equal(sent.length, 2);
    });
  }
});

describe("the initials of a name", () => {
  for (
    const [name, initials] of [
      ["Ada Lovelace", "AL"],
      ["Grace Brewster Murray Hopper", "GH"],
      ["ada", "A"],
      ["demo-1", "D1"],
      ["demo-12", "D12"],
      ["demo-123", "D1"],
      ["12", "1"],
      ["ada@example.com", "AC"],
      ["  “Ben”  ", "B"],
      ["נועה לוי", "נל"],
      ["e\u0301mile zola", "E\u0301Z"],
      ["🎉", ""],
      ["", ""],
    ]
  ) {
    it(`are ${initials || "none"} of ${JSON.stringify(name)}`, () =>
      assert.equal(initialsOf(name), initials));
  }

  it("have one of the colours, the same each time", () => {
    fc.assert(fc.property(fc.string(), (id) => {
      const color = colorOf(id);
      assert.ok(Number.isInteger(color) && color >= 0 && color < initialsColors);
      assert.equal(colorOf(id), color);
    }));
  });
});
