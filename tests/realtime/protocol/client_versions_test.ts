import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { givesUpWhenClosed } from "@/realtime/admission.ts";

const queries: [query: string, givesUp: boolean][] = [
  ["client=js&version=4.4.0", true],
  ["client=js&version=7.6.0", true],
  ["client=js&version=8.1.0", true],
  ["client=js&version=8.2.0", false],
  ["client=js&version=8.10.0", false],
  ["client=js&version=10.0.0", false],
  ["client=js&version=unknown", false],
  ["client=js", false],
  ["client=pusher-websocket-swift&version=1.0.0", false],
  ["", false],
];

describe("givesUpWhenClosed", () => {
  for (const [query, givesUp] of queries) {
    it(`is ${givesUp} for ?${query}`, () => {
      assert.equal(givesUpWhenClosed(new URLSearchParams(query)), givesUp);
    });
  }
});
