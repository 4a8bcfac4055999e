import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Registry } from "prom-client";
import { watchEventLoop } from "@/server/observability/process_metrics.ts";
import { ReadMetrics } from "../../fixtures/metrics.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

async function lag(registry: Registry): Promise<{ count?: number; sum?: number }> {
  const { all } = new ReadMetrics(await registry.metrics());
  return all[0].metrics[0];
}

describe("the event loop lag", () => {
  it("is the delay of a timer, measured ten times a second", async () => {
    const registry = new Registry();
    const clock = new ManualClock();
    let late = 0;
    const blocked = { after: clock.after.bind(clock), now: () => clock.now() + late };
    const { stop } = watchEventLoop(registry, blocked);
    clock.advance(1_000);
    assert.equal((await lag(registry)).count, 10);
    assert.equal((await lag(registry)).sum, 0);
    late = 250;
    clock.advance(100);
    assert.equal((await lag(registry)).sum, 0.25);
    stop();
    assert.equal(clock.timers, 0);
  });

  it("shows a blocked event loop, and leaves no timer when the measurement stops", async () => {
    const registry = new Registry();
    const { stop } = watchEventLoop(registry);
    const end = performance.now() + 300;
    while (performance.now() < end);
    await new Promise((resolve) => setTimeout(resolve));
    const { count, sum = 0 } = await lag(registry);
    stop();
    assert.equal(count, 1);
    assert.ok(sum >= 0.19 && sum < 5, `${sum}`);
  });
});
