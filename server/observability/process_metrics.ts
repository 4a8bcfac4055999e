import process from "node:process";
import type { Registry } from "prom-client";
import { version } from "@/shared/version.ts";
import { standIns } from "./stand_ins.ts";
import { readCounter, readGauge } from "./readings.ts";

const startedAt = (Date.now() - performance.now()) / 1_000;

/**
 * Adds metrics of the process, with the standard names of Prometheus' client libraries. prom-client's own
 * default metrics need data that Deno does not provide: garbage collection, event loop delay, handles.
 */
export function addProcessMetrics(registry: Registry): void {
  readGauge(
    registry,
    {
      name: "rollcall_info",
      help: "The running version, and whether its packages are from JSR or stand-ins",
      labelNames: ["version", "deno", "v8", "packages"],
    },
    () => [{
      labels: {
        version,
        deno: Deno.version.deno,
        v8: Deno.version.v8,
        packages: standIns.length > 0 ? "stand-ins" : "jsr",
      },
      value: 1,
    }],
  );
  readGauge(registry, {
    name: "process_start_time_seconds",
    help: "When the process started, in seconds since 1970",
  }, () => startedAt);
  readGauge(registry, {
    name: "rollcall_uptime_seconds",
    help: "Time since the process started",
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
    help: "Resident memory of the process",
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
