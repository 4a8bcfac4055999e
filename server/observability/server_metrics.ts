import type { Registry } from "prom-client";
import { readCounter, readGauge } from "./readings.ts";

/** What a server knows of the servers of its installation. */
export interface MeasuredServers {
  readonly areSeveral: boolean;
  readonly standsStillSince: number | undefined;
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
    help: "Servers of the installation, with those that were lost within the last minute",
  }, () => servers.alive.known);
  readGauge(registry, {
    name: "rollcall_redis_up",
    help: "Whether this server reaches Redis; while it does not, its global numbers stand still",
  }, () => servers.standsStillSince === undefined ? 1 : 0);
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
