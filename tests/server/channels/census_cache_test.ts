import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { type Census, CensusCache } from "@/server/channels/census.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

/** A cache that counts how often it counts; each count takes some time. */
function cache(takesMs: number) {
  const clock = new ManualClock();
  let taken = 0;
  const census = new CensusCache(() => {
    clock.advance(takesMs);
    return Promise.resolve<Census>({ at: ++taken, apps: [], channels: [] });
  }, clock);
  return { clock, census, read: async () => (await census.read()).at };
}

describe("the cache of the census", () => {
  it("counts once a second, however many ask", async () => {
    const { clock, read } = cache(0);
    assert.deepEqual([await read(), await read()], [1, 1]);
    clock.advance(999);
    assert.equal(await read(), 1);
    clock.advance(1);
    assert.equal(await read(), 2);
  });

  it("counts once for all who ask while it counts", async () => {
    const { read } = cache(0);
    assert.deepEqual(await Promise.all([read(), read()]), [1, 1]);
  });

  it("counts less often when that takes long: a tenth of the time at most", async () => {
    const { clock, read } = cache(300);
    await read();
    clock.advance(2_999);
    assert.equal(await read(), 1);
    clock.advance(1);
    assert.equal(await read(), 2);
  });

  it("keeps nothing, and sets no timer, once no one asks", async () => {
    const { clock, read } = cache(0);
    await read();
    assert.equal(clock.timers, 1, "it is dropped at a time");
    clock.advance(10_000);
    assert.equal(clock.timers, 0);
  });

  it("counts again after the apps changed", async () => {
    const { census, read } = cache(0);
    await read();
    census.forget();
    assert.equal(await read(), 2);
  });

  it("counts again after it failed", async () => {
    let fails = true;
    const census = new CensusCache(
      () => fails ? Promise.reject(new Error("of the test")) : Promise.resolve({} as Census),
      new ManualClock(),
    );
    await assert.rejects(census.read());
    fails = false;
    await census.read();
  });
});
