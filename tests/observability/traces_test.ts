import assert from "node:assert/strict";
import { withoutQuery } from "../../observability/traces.ts";

const addresses: [given: unknown, kept: string][] = [
  ["http://a.example/setup?token=secret", "http://a.example/setup"],
  ["https://user:secret@a.example:8443/hook#secret", "https://a.example:8443/hook"],
  ["no address ?token=secret", ""],
  [undefined, ""],
];

for (const [given, kept] of addresses) {
  Deno.test(`of the address ${given}, traces have ${JSON.stringify(kept)}`, () => {
    assert.equal(withoutQuery(given), kept);
  });
}
