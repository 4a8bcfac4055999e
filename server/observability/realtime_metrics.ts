import type { Registry } from "prom-client";
import type { App, AppStats, RealtimeServer, Traffic } from "@/realtime/server.ts";
import { readCounter, readGauge, type Reading } from "./readings.ts";

/** Sizes with a metric of their own; all others are in `rollcall_kept_entries`. */
const gauges = {
  connections: "Open connections",
  channels: "Occupied channels",
  subscriptions: "Subscriptions of connections to channels",
  members: "Users in presence channels, guests included",
} as const;

const counters: Record<keyof Traffic, { name: string; help: string }> = {
  received: {
    name: "rollcall_messages_received_total",
    help: "Messages that clients sent",
  },
  sent: {
    name: "rollcall_messages_sent_total",
    help: "Messages that were sent to clients",
  },
  sentBytes: {
    name: "rollcall_sent_bytes_total",
    help: "Size of the messages that were sent to clients",
  },
};

/** Reads the sizes of an app once a scrape, for all metrics that need them: each read walks the app. */
function sizesOnce(): (app: App) => AppStats {
  const statsOf = new Map<App, AppStats>();
  return (app) => {
    if (statsOf.size === 0) queueMicrotask(() => statsOf.clear());
    const stats = statsOf.get(app) ?? app.stats();
    statsOf.set(app, stats);
    return stats;
  };
}

/** Adds metrics of the realtime server. Apps are few, because settings list them. */
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
      help: "Clients that were refused or closed because of a limit",
      labelNames: ["limit"],
    },
    () =>
      Object.entries(realtime.refusals()).map(([limit, value]) => ({ labels: { limit }, value })),
  );
  addSizes(registry, realtime, sizesOf);
}

/** A counted channel, and how many users it has now. */
export interface MeasuredChannel {
  readonly appId: string;
  readonly channel: string;
  readonly presence: {
    readonly counts: { readonly users: number; readonly guests?: number };
    /** How many users are active; null while no tab reports it. */
    readonly active: number | null;
  };
}

/** Adds the users of the counted channels, which the settings list: they are few. */
export function addCountedUsers(registry: Registry, counted: readonly MeasuredChannel[]): void {
  const add = (
    name: string,
    help: string,
    valueOf: (presence: MeasuredChannel["presence"]) => number | null,
  ) =>
    readGauge(
      registry,
      { name, help, labelNames: ["app", "channel"] },
      () =>
        counted.flatMap(({ appId: app, channel, presence }) => {
          const value = valueOf(presence);
          return value === null ? [] : [{ labels: { app, channel }, value }];
        }),
    );
  add(
    "rollcall_users",
    "Users in the counted channels, guests included",
    ({ counts }) => counts.users,
  );
  add(
    "rollcall_guests",
    "Guests among the users in the counted channels",
    ({ counts }) => counts.guests ?? 0,
  );
  add(
    "rollcall_active_users",
    "Active users in the counted channels, guests included; none for a channel where no tab reports it",
    ({ active }) => active,
  );
}

interface Named {
  name: string;
  help: string;
}

/** Adds the sizes of everything else in memory, by their names in the code, to reveal leaks. */
function addSizes(
  registry: Registry,
  realtime: RealtimeServer,
  sizesOf: (app: App) => AppStats,
): void {
  const labelNames = ["app", "kind"] as const;
  const name = "rollcall_kept_entries";
  const help = "Entries in the server's memory, by kind; without an app, of all apps together";
  readGauge(registry, { name, help, labelNames }, () => [
    ...sizes(realtime.socketStats()),
    ...realtime.apps.flatMap((app) => sizes(entriesOf(sizesOf(app)), app.settings.id)),
  ]);
  readGauge(
    registry,
    {
      name: "rollcall_cached_bytes",
      help: "Size of the events in cache channels",
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
