import assert from "node:assert/strict";
import { cacheMs } from "../../../realtime/channels/event_cache.ts";
import { ManualClock } from "../manual_clock.ts";
import { until } from "../rig.ts";
import { ApiRig } from "./rig.ts";

/** What the official library is told of a channel's last event. */
async function cacheOf(rig: ApiRig, channel: string): Promise<unknown> {
  const response = await rig.library().get({
    path: `/channels/${channel}`,
    params: { info: "cache" },
  });
  return await response.json();
}

for (const channel of ["cache-a", "private-cache-a", "presence-cache-a"]) {
  Deno.test(`${channel}: its last event and the seconds it is kept are told`, async () => {
    const clock = new ManualClock();
    await using rig = new ApiRig({ clock });
    assert.deepEqual(await cacheOf(rig, channel), { occupied: false });
    await rig.library().trigger(channel, "update", { text: "hé 💚" });
    const data = '{"text":"hé 💚"}';
    assert.deepEqual(await cacheOf(rig, channel), { occupied: false, cache: { data, ttl: 1_800 } });
    clock.advance(1_500);
    assert.deepEqual(await cacheOf(rig, channel), { occupied: false, cache: { data, ttl: 1_799 } });
    clock.advance(cacheMs - 1_501);
    assert.deepEqual(await cacheOf(rig, channel), { occupied: false, cache: { data, ttl: 1 } });
    clock.advance(1);
    assert.deepEqual(await cacheOf(rig, channel), { occupied: false });
  });
}

Deno.test("an occupied channel tells its cache among the rest; others have none", async () => {
  await using rig = new ApiRig();
  const client = await rig.connect();
  for (const channel of ["cache-a", "news"]) client.subscribe(channel);
  await until(() => rig.realtime.stats().subscriptions === 2);
  for (const channel of ["cache-a", "news"]) await rig.library().trigger(channel, "update", "");
  assert.deepEqual(await cacheOf(rig, "cache-a"), {
    occupied: true,
    cache: { data: "", ttl: 1_800 },
  });
  assert.deepEqual(await cacheOf(rig, "news"), { occupied: true });
});
