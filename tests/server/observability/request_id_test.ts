import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { requestIdOf } from "@/server/observability/logging.ts";

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
