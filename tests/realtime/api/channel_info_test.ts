import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { cacheMs } from "@/realtime/brokers/event_cache.ts";
import { showChannel } from "@/realtime/api/channel_attributes.ts";
import { ManualClock } from "../manual_clock.ts";
import { until } from "../harness.ts";
import { ApiHarness } from "./harness.ts";

/** A channel's last event, as the official library gets it. */
async function cacheOf(harness: ApiHarness, channel: string): Promise<unknown> {
  const response = await harness.library().get({
    path: `/channels/${channel}`,
    params: { info: "cache" },
  });
  return await response.json();
}

describe("info=cache", () => {
  for (const channel of ["cache-a", "private-cache-a", "presence-cache-a"]) {
    it(`returns the last event of ${channel} and the seconds until it expires`, async () => {
      const clock = new ManualClock();
      await using harness = new ApiHarness({ clock });
      assert.deepEqual(await cacheOf(harness, channel), { occupied: false });
      await harness.library().trigger(channel, "update", { text: "hé 💚" });
      const data = '{"text":"hé 💚"}';
      assert.deepEqual(await cacheOf(harness, channel), {
        occupied: false,
        cache: { data, ttl: 1_800 },
      });
      clock.advance(1_500);
      assert.deepEqual(await cacheOf(harness, channel), {
        occupied: false,
        cache: { data, ttl: 1_799 },
      });
      clock.advance(cacheMs - 1_501);
      assert.deepEqual(await cacheOf(harness, channel), {
        occupied: false,
        cache: { data, ttl: 1 },
      });
      clock.advance(1);
      assert.deepEqual(await cacheOf(harness, channel), { occupied: false });
    });
  }

  it("is returned beside the other attributes of an occupied channel, and absent on other channels", async () => {
    await using harness = new ApiHarness();
    const client = await harness.connect();
    for (const channel of ["cache-a", "news"]) client.subscribe(channel);
    await until(() => harness.realtime.stats().subscriptions === 2);
    for (const channel of ["cache-a", "news"]) {
      await harness.library().trigger(channel, "update", "");
    }
    assert.deepEqual(await cacheOf(harness, "cache-a"), {
      occupied: true,
      cache: { data: "", ttl: 1_800 },
    });
    assert.deepEqual(await cacheOf(harness, "news"), { occupied: true });
  });
});

describe("A channel that empties or fills while it is asked for", () => {
  it("is occupied by the same answer that counts its users", async () => {
    await using harness = new ApiHarness();
    const member = await harness.member("ann");
    await harness.member("ben");
    // Redis answers two questions at two times: between them, everybody leaves.
    const api = harness.realtime.appApi("1")!;
    const states = api.states.bind(api);
    let asked = 0;
    api.states = async (names) => {
      const answer = await states(names);
      return asked++ === 0 ? answer : answer.map(() => undefined);
    };
    const channel = await showChannel(api, "presence-room", {
      info: "user_count,subscription_count",
    });
    assert.deepEqual(channel, { occupied: true, user_count: 2, subscription_count: 2 });
    member.close();
  });
});
