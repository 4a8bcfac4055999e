import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { folded } from "@/shared/folded.ts";

describe("A folded text", () => {
  it("has neither case nor accents", () => {
    assert.equal(folded("Élodie STRASSE, Straße"), "elodie strasse, strasse");
  });

  it("is the same whether it is folded alone or beside letters that are not ASCII", () => {
    fc.assert(fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
      assert.equal(folded(text) + folded("É"), folded(`${text}É`));
    }));
  });
});
