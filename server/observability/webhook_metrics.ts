import type { Registry } from "prom-client";
import type { Webhooks, WebhookStats } from "@/realtime/webhooks/webhooks.ts";
import { readCounter, readGauge } from "./readings.ts";

type Size = Exclude<keyof WebhookStats, "dropped">;

const gauges: [size: Size, name: string, help: string][] = [
  ["receivers", "receivers", "Webhooks with waiting events"],
  ["queuedEvents", "queued_events", "Waiting events"],
  ["queuedBytes", "queued_bytes", "Size of the waiting events, as JSON"],
  ["pendingDepartures", "pending_departures", "Departures whose clients may still return"],
  ["pendingDepartures", "awaited_returns", "Former name of rollcall_webhook_pending_departures"],
];

const counters: [size: Size, name: string, help: string][] = [
  ["delivered", "delivered_events_total", "Delivered events"],
  ["failedAttempts", "failed_attempts_total", "Failed requests to webhooks"],
  ["failedSaves", "failed_saves_total", "Failed attempts to save waiting events"],
];

/** Adds metrics of the events that wait for webhooks, were delivered or were dropped. */
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
    { ...naming("dropped_events_total", "Events that were dropped"), labelNames: ["reason"] },
    () =>
      Object.entries(webhooks.stats().dropped)
        .map(([reason, value]) => ({ labels: { reason }, value })),
  );
}
