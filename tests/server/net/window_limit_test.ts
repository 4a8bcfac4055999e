import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { WindowLimit } from "@/server/net/window_limits.ts";

const limit = { most: 20, windowMs: 60_000 };

describe("a limit within a window", () => {
  it("makes a client wait after 20 in a minute, and no other client", () => {
    let now = 5_000;
    const limited = new WindowLimit(limit, () => now);
    for (let count = 0; count < 20; count++) {
      assert.equal(limited.waitSeconds("client"), null);
      limited.add("client");
    }
    assert.equal(limited.waitSeconds("client"), 60);
    assert.equal(limited.waitSeconds("another"), null);
    now += 59_001;
    assert.equal(limited.waitSeconds("client"), 1);
    now += 999;
    assert.equal(limited.waitSeconds("client"), null);
    limited.add("client");
    assert.equal(limited.waitSeconds("client"), null);
  });

  it("makes a client wait again after 20 more in a later minute", () => {
    let now = 0;
    const limited = new WindowLimit(limit, () => now);
    limited.add("client");
    now = 60_000;
    for (let count = 0; count < 20; count++) limited.add("client");
    assert.equal(limited.waitSeconds("client"), 60);
  });

  it("remembers a client by its latest minute", () => {
    let now = 0;
    const limited = new WindowLimit(limit, () => now);
    limited.add("first");
    for (let client = 1; client < 10_000; client++) limited.add(`client ${client}`);
    now = 60_000;
    for (let count = 0; count < 20; count++) limited.add("first");
    limited.add("client 10000");
    assert.equal(limited.waitSeconds("first"), 60);
  });

  it("forgets the oldest of 10,000 clients for a new one", () => {
    const limited = new WindowLimit(limit, () => 0);
    for (let count = 0; count < 20; count++) limited.add("first");
    for (let client = 1; client < 10_000; client++) limited.add(`client ${client}`);
    assert.equal(limited.waitSeconds("first"), 60);
    limited.add("client 10000");
    assert.equal(limited.waitSeconds("first"), null);
  });
});
