import type { Registry } from "prom-client";
import type { App, AppStats, RealtimeServer, Traffic } from "../realtime/server.ts";
import { readCounter, readGauge, type Reading } from "./readings.ts";

/** Sizes that have a metric of their own. */
const gauges = {
  connections: "Open connections",
  channels: "Occupied channels",
  subscriptions: "Subscriptions of connections to channels",
  members: "Users in presence channels",
} as const;

const counters: Record<keyof Traffic, { name: string; help: string }> = {
  received: {
    name: "rollcall_messages_received_total",
    help: "Frames that clients sent",
  },
  sent: {
    name: "rollcall_messages_sent_total",
    help: "Frames that were handed to the sockets of clients",
  },
  sentBytes: {
    name: "rollcall_sent_bytes_total",
    help: "Text of the frames that were handed to the sockets of clients",
  },
};

/** Takes the sizes of an app once, however many metrics of one answer tell of them: it has to walk. */
function sizesOnce(): (app: App) => AppStats {
  const taken = new Map<App, AppStats>();
  return (app) => {
    if (taken.size === 0) queueMicrotask(() => taken.clear());
    const stats = taken.get(app) ?? app.stats();
    taken.set(app, stats);
    return stats;
  };
}

/** What the server of sockets does and keeps. Apps are few, as a setting names them. */
export function addRealtimeMetrics(registry: Registry, realtime: RealtimeServer): void {
  const sizesOf = sizesOnce();
  readGauge(
    registry,
    { name: "rollcall_apps", help: "Apps that are served" },
    () => realtime.apps.length,
  );
  for (const [size, help] of Object.entries(gauges) as [keyof typeof gauges, string][]) {
    readGauge(
      registry,
      { name: `rollcall_${size}`, help, labelNames: ["app"] },
      () => ofEachApp(realtime, (app) => sizesOf(app)[size]),
    );
  }
  for (const [total, naming] of Object.entries(counters) as [keyof Traffic, Named][]) {
    readCounter(
      registry,
      { ...naming, labelNames: ["app"] },
      () => ofEachApp(realtime, (app) => app.traffic()[total]),
    );
  }
  readCounter(
    registry,
    {
      name: "rollcall_refusals_total",
      help: "Clients that were refused or closed at a limit",
      labelNames: ["limit"],
    },
    () =>
      Object.entries(realtime.refusals()).map(([limit, value]) => ({ labels: { limit }, value })),
  );
  addSizes(registry, realtime, sizesOf);
}

interface Named {
  name: string;
  help: string;
}

/** Whatever else is kept, by the name that it has in the code: a leak shows here. */
function addSizes(
  registry: Registry,
  realtime: RealtimeServer,
  sizesOf: (app: App) => AppStats,
): void {
  const labelNames = ["app", "kind"] as const;
  const name = "rollcall_kept_entries";
  const help = "Entries of what the server keeps in memory; without an app, of all apps together";
  readGauge(registry, { name, help, labelNames }, () => [
    ...sizes(realtime.socketStats()),
    ...realtime.apps.flatMap((app) => sizes(entriesOf(sizesOf(app)), app.settings.id)),
  ]);
  readGauge(
    registry,
    {
      name: "rollcall_cached_bytes",
      help: "Events that cache channels keep",
      labelNames: ["app"],
    },
    () => ofEachApp(realtime, (app) => sizesOf(app).cachedBytes),
  );
}

function entriesOf({ cachedBytes: _, ...stats }: AppStats): Record<string, number> {
  return Object.fromEntries(Object.entries(stats).filter(([kind]) => !Object.hasOwn(gauges, kind)));
}

function sizes(stats: Record<string, number>, app?: string): Reading<"app" | "kind">[] {
  return Object.entries(stats)
    .map(([kind, value]) => ({ labels: { kind, ...(app !== undefined && { app }) }, value }));
}

function ofEachApp(
  { apps }: RealtimeServer,
  valueOf: (app: App) => number,
): Reading<"app">[] {
  return apps.map((app) => ({ labels: { app: app.settings.id }, value: valueOf(app) }));
}
