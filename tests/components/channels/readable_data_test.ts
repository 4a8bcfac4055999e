import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { readableData } from "@/components/channels/event_lines.ts";

describe("the data of an event, for reading", () => {
  it("is JSON in lines of its own, with every digit of its numbers", () => {
    const data = '{"id":12345678901234567890,"total":17.50,"a":[ ],"b":{"c":[1,"}, \\"{"]}}';
    assert.equal(
      readableData(data),
      `{
  "id": 12345678901234567890,
  "total": 17.50,
  "a": [],
  "b": {
    "c": [
      1,
      "}, \\"{"
    ]
  }
}`,
    );
  });

  it("is the text as it is where that is not JSON", () => {
    for (const text of ["<b>{", "", '{"a":1']) assert.equal(readableData(text), text);
  });

  it("is laid out as JSON.stringify does, and has the same meaning", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value = JSON.parse(text);
        assert.equal(readableData(JSON.stringify(value)), JSON.stringify(value, null, 2));
        assert.deepEqual(JSON.parse(readableData(text)), value);
      }),
    );
  });
});
