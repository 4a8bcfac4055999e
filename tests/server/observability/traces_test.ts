import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { withoutQueries } from "@/server/observability/traces.ts";

const values: [given: unknown, kept: unknown][] = [
  ["http://a.example/setup?token=secret", "http://a.example/setup"],
  ["https://user:secret@a.example:8443/hook#secret", "https://a.example:8443/hook"],
  ["wss://a.example/app/key?protocol=7", "wss://a.example/app/key"],
  [
    "failed for url (http://a.example/x?y=secret): gone",
    "failed for url (http://a.example/x): gone",
  ],
  ["http://a.example/wallboard/secret?x", "http://a.example/wallboard/-"],
  ["/wallboard/secret", "/wallboard/-"],
  ["http://a.example/invite/secret?x", "http://a.example/invite/-"],
  ["/rollcall/reset-password/secret", "/rollcall/reset-password/-"],
  ["see http://[secret?secret", "see (an address)"],
  ["no address ?token=2", "no address ?token=2"],
  [200, 200],
  [undefined, undefined],
];

describe("the values of traces", () => {
  for (const [given, kept] of values) {
    it(`are reduced from ${JSON.stringify(given)} to ${JSON.stringify(kept)}`, () => {
      assert.equal(withoutQueries(given), kept);
    });
  }
});
