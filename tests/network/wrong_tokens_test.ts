import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { WrongTokens } from "../../network/wrong_tokens.ts";

describe("the limit of wrong wallboard tokens", () => {
  it("makes a peer wait after 20 in a minute, and no other peer", () => {
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

  it("makes a peer wait again after 20 more in a later minute", () => {
    let now = 0;
    const tokens = new WrongTokens(() => now);
    tokens.add("peer");
    now = 60_000;
    for (let shown = 0; shown < 20; shown++) tokens.add("peer");
    assert.equal(tokens.waitSeconds("peer"), 60);
  });

  it("remembers a peer by its latest minute", () => {
    let now = 0;
    const tokens = new WrongTokens(() => now);
    tokens.add("first");
    for (let peer = 1; peer < 10_000; peer++) tokens.add(`peer ${peer}`);
    now = 60_000;
    for (let shown = 0; shown < 20; shown++) tokens.add("first");
    tokens.add("peer 10000");
    assert.equal(tokens.waitSeconds("first"), 60);
  });

  it("forgets the oldest of 10,000 peers for a new one", () => {
    const tokens = new WrongTokens(() => 0);
    for (let shown = 0; shown < 20; shown++) tokens.add("first");
    for (let peer = 1; peer < 10_000; peer++) tokens.add(`peer ${peer}`);
    assert.equal(tokens.waitSeconds("first"), 60);
    tokens.add("peer 10000");
    assert.equal(tokens.waitSeconds("first"), null);
  });
});
