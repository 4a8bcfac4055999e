import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Registry } from "prom-client";
import { addWebhookMetrics } from "@/server/observability/server_metrics.ts";
import { ReadMetrics } from "../../fixtures/metrics.ts";
import { WebhookSimulation } from "../../realtime/webhooks/simulation.ts";

describe("the metrics of webhooks", () => {
  it("count waiting, delivered and dropped events", async () => {
    const simulation = new WebhookSimulation({ limits: { keepMs: 1_000 } });
    const registry = new Registry();
    addWebhookMetrics(registry, simulation.webhooks);
    const read = async () => new ReadMetrics(await registry.metrics());
    simulation.happens(1);
    simulation.happens(2);
    const waiting = await read();
    assert.equal(waiting.value("rollcall_webhook_receivers"), 1);
    assert.equal(waiting.value("rollcall_webhook_queued_events"), 2);
    assert.ok(waiting.value("rollcall_webhook_queued_bytes") > 0);
    for (const name of ["pending_departures", "awaited_returns"]) {
      assert.equal(waiting.value(`rollcall_webhook_${name}`), 0);
    }

    await simulation.advance(100);
    await simulation.last.answer(200);
    simulation.happens(3);
    await simulation.advance(100);
    await simulation.last.answer(500);
    await simulation.advance(2_000);
    const after = await read();
    assert.equal(after.value("rollcall_webhook_queued_events"), 0);
    assert.equal(after.value("rollcall_webhook_delivered_events_total"), 2);
    assert.ok(after.value("rollcall_webhook_failed_attempts_total") >= 1);
    const lost = after.labels("rollcall_webhook_dropped_events_total")
      .map((labels) => after.value("rollcall_webhook_dropped_events_total", labels));
    assert.equal(lost.reduce((sum, value) => sum + value, 0), 1);
    await simulation.webhooks.stop();
  });
});
