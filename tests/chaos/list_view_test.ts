import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { difference, ListView } from "./truth/list_view.ts";

function listOf(...ids: string[]) {
  const hash = Object.fromEntries(ids.map((id) => [id, { name: id }]));
  return { presence: { ids, count: ids.length, hash } };
}

describe("the list of a client of the fault test", () => {
  it("is what was sent first, with the changes since", () => {
    const view = new ListView();
    assert.equal(view.listed(listOf("ann", "bob"), "ann"), undefined);
    assert.equal(view.changed("added", { user_id: "cid" }), undefined);
    assert.equal(view.changed("removed", { user_id: "bob" }), undefined);
    assert.deepEqual([...view.users ?? []], ["ann", "cid"]);
  });

  const sent: [what: string, problem: RegExp, send: (view: ListView) => string | undefined][] = [
    [
      "an added member of the list",
      /who is in its list/,
      (view) => view.changed("added", { user_id: "ann" }),
    ],
    [
      "a removed member that is not in it",
      /who is not in its list/,
      (view) => view.changed("removed", { user_id: "bob" }),
    ],
    ["a second list", /second list/, (view) => view.listed(listOf("ann"), "ann")],
    ["a change without a user", /malformed change/, (view) => view.changed("added", {})],
  ];
  for (const [what, problem, send] of sent) {
    it(`does not allow ${what}`, () => {
      const view = new ListView();
      view.listed(listOf("ann"), "ann");
      assert.match(String(send(view)), problem);
    });
  }

  it("does not allow a change before the list", () => {
    assert.match(String(new ListView().changed("added", { user_id: "ann" })), /before its list/);
  });

  it("does not allow a list without its own user, or with another count", () => {
    assert.match(String(new ListView().listed(listOf("bob"), "ann")), /without its own user/);
    const { presence } = listOf("ann");
    assert.match(
      String(new ListView().listed({ presence: { ...presence, count: 2 } }, "ann")),
      /the count 2/,
    );
    assert.match(String(new ListView().listed({}, "ann")), /malformed list/);
  });
});

describe("the difference of a list to the truth", () => {
  it("names ghosts and who is missing", () => {
    assert.equal(difference(new Set(["a", "b"]), new Set(["b", "a"])), undefined);
    assert.equal(difference(new Set(["a", "b"]), new Set(["b", "c"])), "ghosts: a; missing: c");
  });

  it("is short for many", () => {
    const many = new Set(Array.from({ length: 20 }, (_, index) => `user-${index}`));
    assert.match(String(difference(many, new Set())), /^ghosts: user-0, .* and 12 more$/);
  });
});
