import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { colorOf, initialsColors, initialsOf } from "@/components/page/initials.ts";

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
