import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { BusyError, ConcurrencyLimit } from "@/server/net/window_limits.ts";

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
