import type { Registry } from "prom-client";
import type { Webhooks, WebhookStats } from "../realtime/webhooks/webhooks.ts";
import { readCounter, readGauge } from "./readings.ts";

type Size = Exclude<keyof WebhookStats, "dropped">;

const gauges: [size: Size, name: string, help: string][] = [
  ["receivers", "receivers", "Webhooks for which something waits"],
  ["queuedEvents", "queued_events", "Events that wait to be delivered"],
  ["queuedBytes", "queued_bytes", "JSON of the events that wait to be delivered"],
  ["pendingDepartures", "awaited_returns", "Departures whose clients may come back"],
];

const counters: [size: Size, name: string, help: string][] = [
  ["delivered", "delivered_events_total", "Events that webhooks took"],
  ["failedAttempts", "failed_attempts_total", "Requests to webhooks that failed"],
  ["failedSaves", "failed_saves_total", "Attempts to save undelivered events that failed"],
];

/** What waits for webhooks, and what became of the rest. */
export function addWebhookMetrics(registry: Registry, webhooks: Webhooks): void {
  const naming = (name: string, help: string) => ({ name: `rollcall_webhook_${name}`, help });
  for (const [size, name, help] of gauges) {
    readGauge(registry, naming(name, help), () => webhooks.stats()[size]);
  }
  for (const [size, name, help] of counters) {
    readCounter(registry, naming(name, help), () => webhooks.stats()[size]);
  }
  readCounter(
    registry,
    { ...naming("dropped_events_total", "Events that are lost"), labelNames: ["reason"] },
    () =>
      Object.entries(webhooks.stats().dropped)
        .map(([reason, value]) => ({ labels: { reason }, value })),
  );
}
