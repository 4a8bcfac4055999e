import process from "node:process";
import type { Registry } from "prom-client";
import { version } from "../shared/version.ts";
import { readCounter, readGauge } from "./readings.ts";

const startedAt = (Date.now() - performance.now()) / 1_000;

/**
 * What the process is and uses, under the names that Prometheus' own client libraries have for it. Those
 * of prom-client rest on what Deno does not have: garbage collection, the loop's delay, handles.
 */
export function addProcessMetrics(registry: Registry): void {
  readGauge(
    registry,
    {
      name: "rollcall_info",
      help: "The version that runs",
      labelNames: ["version", "deno", "v8"],
    },
    () => [{ labels: { version, deno: Deno.version.deno, v8: Deno.version.v8 }, value: 1 }],
  );
  readGauge(registry, {
    name: "process_start_time_seconds",
    help: "When the process started, in seconds since 1970",
  }, () => startedAt);
  readGauge(registry, {
    name: "rollcall_uptime_seconds",
    help: "For how long the process has run",
  }, () => performance.now() / 1_000);
  readCounter(registry, {
    name: "process_cpu_seconds_total",
    help: "CPU time, user and system",
  }, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  });
  addMemory(registry);
}

function addMemory(registry: Registry): void {
  readGauge(registry, {
    name: "process_resident_memory_bytes",
    help: "Memory that the process has",
  }, () => Deno.memoryUsage().rss);
  readGauge(registry, {
    name: "rollcall_heap_bytes",
    help: "Memory of the JavaScript heap",
    labelNames: ["state"],
  }, () => {
    const { heapUsed, heapTotal, external } = Deno.memoryUsage();
    return [
      { labels: { state: "used" }, value: heapUsed },
      { labels: { state: "free" }, value: heapTotal - heapUsed },
      { labels: { state: "external" }, value: external },
    ];
  });
}
