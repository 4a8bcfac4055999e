import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  BusyError,
  ConcurrencyLimit,
  SendingLimit,
  WindowLimit,
} from "@/server/net/window_limits.ts";

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

describe("the sending limit", () => {
  it("allows each sender its messages in any minute, and then gives the seconds to wait", () => {
    const limit = new SendingLimit(30);
    const start = 1_700_000_000_000;
    for (let count = 0; count < 30; count++) {
      assert.equal(limit.take("ada", start + count * 1_000), 0);
    }
    assert.equal(limit.take("ada", start + 30_000), 30);
    assert.equal(limit.take("ben", start + 30_000), 0);
    assert.equal(limit.take("ada", start + 59_999), 1);
    assert.equal(limit.take("ada", start + 60_000), 0, "the first one is a minute ago");
    assert.equal(limit.take("ada", start + 60_000), 1);
    assert.equal(limit.take("ada", start + 200_000), 0);
  });

  it("keeps the senders of the last minute only", () => {
    const limit = new SendingLimit(30);
    for (const sender of ["ada", "ben"]) limit.take(sender, 0);
    limit.take("ben", 1);
    limit.take("cleo", 60_000);
    assert.equal(limit.senders, 2);
  });
});

describe("The limit of work at a time", () => {
  it("refuses a client beyond its share and all beyond the whole, and gives room back", async () => {
    const limit = new ConcurrencyLimit({ max: 3, maxPerClient: 2, retryAfterSeconds: 5 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const run = (client: string) => limit.run(client, () => promise);
    const running = [run("a"), run("a")];
    await assert.rejects(run("a"), BusyError);
    running.push(run("b"));
    await assert.rejects(run("c"), BusyError);
    resolve();
    await Promise.all(running);
    assert.equal(limit.count, 0);
    await Promise.all(["a", "a", "c"].map(run));
  });
});
