import type { Registry } from "prom-client";
import { readCounter, readGauge } from "./readings.ts";
import type { Webhooks, WebhookStats } from "@/realtime/webhooks/webhooks.ts";

/** What a server knows of the servers of its installation. */
export interface MeasuredServers {
  readonly areSeveral: boolean;
  readonly place?: "redis" | "coordinator";
  readonly staleSince: number | undefined;
  readonly isLeader: boolean;
  readonly ignoredMessages: { readonly malformed: number; readonly unknown: number };
  readonly alive: { readonly alive: number; readonly known: number };
}

/** Adds metrics of the servers that share the count; none where there can be one server only. */
export function addServerMetrics(registry: Registry, servers: MeasuredServers): void {
  if (!servers.areSeveral) return;
  readGauge(registry, {
    name: "rollcall_servers",
    help: "Servers of the installation that answer, as this one knows them",
  }, () => servers.alive.alive);
  readGauge(registry, {
    name: "rollcall_servers_known",
    help: "Servers of the installation, with the ones lost within the last minute",
  }, () => servers.alive.known);
  readGauge(registry, {
    name: servers.place === "coordinator" ? "rollcall_coordinator_up" : "rollcall_redis_up",
    help:
      "Whether this server reaches what it shares with the others; while it does not, its global numbers are stale",
  }, () => servers.staleSince === undefined ? 1 : 0);
  readGauge(registry, {
    name: "rollcall_leader",
    help: "Whether this server does the work that an installation does once",
  }, () => servers.isLeader ? 1 : 0);
  readCounter(registry, {
    name: "rollcall_ignored_messages_total",
    help:
      "Messages of other servers that this one could not read, by whether a later release sent them",
    labelNames: ["reason"],
  }, () =>
    Object.entries(servers.ignoredMessages)
      .map(([reason, value]) => ({ labels: { reason }, value })));
}

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

/** What became of messages to receivers of alerts since the start, and how many wait. */
export interface MeasuredAlerts {
  readonly stats: {
    readonly waiting: number;
    readonly delivered: number;
    readonly failedAttempts: number;
    /** By reason. */
    readonly givenUp: Readonly<Record<string, number>>;
  };
}

/** Adds metrics of the messages to receivers of alerts. */
export function addAlertMetrics(registry: Registry, alerts: MeasuredAlerts): void {
  readGauge(registry, {
    name: "rollcall_alert_waiting",
    help: "Waiting messages to receivers of alerts; 0 on a server that is not the leader",
  }, () => alerts.stats.waiting);
  readCounter(registry, {
    name: "rollcall_alert_delivered_total",
    help: "Delivered messages to receivers of alerts",
  }, () => alerts.stats.delivered);
  readCounter(registry, {
    name: "rollcall_alert_failed_attempts_total",
    help: "Failed attempts to deliver messages to receivers of alerts",
  }, () => alerts.stats.failedAttempts);
  readCounter(
    registry,
    {
      name: "rollcall_alert_given_up_total",
      help: "Messages to receivers of alerts that were given up",
      labelNames: ["reason"],
    },
    () =>
      Object.entries(alerts.stats.givenUp).map(([reason, value]) => ({
        labels: { reason },
        value,
      })),
  );
}
