import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { type ChannelStats, ChannelStatsCache } from "@/server/channels/stats.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

/** A cache that counts how often it counts; each count takes some time. */
function cache(takesMs: number) {
  const clock = new ManualClock();
  let taken = 0;
  const channelStats = new ChannelStatsCache(() => {
    clock.advance(takesMs);
    return Promise.resolve<ChannelStats>({ at: ++taken, apps: [], channels: [] });
  }, clock);
  return { clock, channelStats, read: async () => (await channelStats.read()).at };
}

describe("the cache of the channel stats", () => {
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
    const { channelStats, read } = cache(0);
    await read();
    channelStats.forget();
    assert.equal(await read(), 2);
  });

  it("counts again after it failed", async () => {
    let fails = true;
    const channelStats = new ChannelStatsCache(
      () => fails ? Promise.reject(new Error("of the test")) : Promise.resolve({} as ChannelStats),
      new ManualClock(),
    );
    await assert.rejects(channelStats.read());
    fails = false;
    await channelStats.read();
  });
});
