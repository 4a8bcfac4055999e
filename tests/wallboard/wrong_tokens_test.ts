import assert from "node:assert/strict";
import { WrongTokens } from "../../wallboard/wrong_tokens.ts";

Deno.test("after twenty wrong tokens in a minute a peer has to wait, others do not", () => {
  let now = 5_000;
  const tokens = new WrongTokens(() => now);
  for (let shown = 0; shown < 20; shown++) {
    assert.equal(tokens.waitSeconds("peer"), null);
    tokens.add("peer");
  }
  assert.equal(tokens.waitSeconds("peer"), 60);
  assert.equal(tokens.waitSeconds("another"), null);
  now += 59_001;
  assert.equal(tokens.waitSeconds("peer"), 1);
  now += 999;
  assert.equal(tokens.waitSeconds("peer"), null);
  tokens.add("peer");
  assert.equal(tokens.waitSeconds("peer"), null);
});

Deno.test("of ten thousand peers the one that began longest ago is forgotten for another", () => {
  const tokens = new WrongTokens(() => 0);
  for (let shown = 0; shown < 20; shown++) tokens.add("first");
  for (let peer = 1; peer < 10_000; peer++) tokens.add(`peer ${peer}`);
  assert.equal(tokens.waitSeconds("first"), 60);
  tokens.add("one more");
  assert.equal(tokens.waitSeconds("first"), null);
});
