import type { ServerRow, ServersView, ShownServer, Stale } from "@/shared/servers.ts";
import type { Freshness } from "@/shared/recovery.ts";
import type { RecoveryWatch } from "./recovery_watch.ts";
import { type BroadcastHere, onlineChannel } from "./channels.ts";
import type { App, RealtimeServer } from "@/realtime/server.ts";
import type { Clock } from "@/realtime/timing/clock.ts";

export type { ServerRow } from "@/shared/servers.ts";

/** The servers of an installation, as this one knows them. */
export interface Servers {
  /** Whether several servers can share the count; false for the only process: then pages show nothing of this. */
  readonly areSeveral: boolean;
  /** Where they share it; absent for the only process. */
  readonly place?: "redis" | "coordinator";
  /**
   * Since when this server's numbers are stale, because it is not connected to the others; undefined
   * while it is. In ms since 1970.
   */
  readonly staleSince: number | undefined;
  /** Whether this server has lost Redis for two leases while others reach it: clients are better off there. */
  readonly isPartitioned: boolean;
  /** Whether this server does the work that an installation does once. */
  readonly isLeader: boolean;
  /** After how long without a report a server is lost, in ms. */
  readonly leaseMs: number;
  /** Whether another server has all its users, so that the number is right. */
  readonly hasCertainOthers: boolean;
  /**
   * The start of this server, or of the first one where several start together: how long ago it was, and for how long
   * after it the number may have users of servers that ended. In ms.
   */
  readonly restart: { readonly agoMs: number; readonly uncertainMs: number };
  /** How many of the known servers answer. One that was lost is known for a minute more. */
  readonly alive: { readonly alive: number; readonly known: number };
  /** Messages of others that this server could not read since its start. "unknown": they are of a later release. */
  readonly ignoredMessages: { readonly malformed: number; readonly unknown: number };
  /** What each server last reported of itself, at once and from memory. Never rejects. */
  list(): Promise<ServerRow[]>;
  /** Calls back when anything but {@link list} has changed. @returns unsubscribe */
  onChange(listener: () => void): () => void;
}

/** The only server of its installation. */
export const onlyServer: Servers = {
  areSeveral: false,
  staleSince: undefined,
  isPartitioned: false,
  isLeader: true,
  leaseMs: 10_000,
  hasCertainOthers: false,
  restart: { agoMs: 0, uncertainMs: 0 },
  alive: { alive: 1, known: 1 },
  ignoredMessages: { malformed: 0, unknown: 0 },
  list: () => Promise.resolve([]),
  onChange: () => () => {},
};

/** How far the number of a channel can be believed now. */
export function currentFreshness(
  { shown }: RecoveryWatch,
  { staleSince }: Servers,
): Freshness {
  if (staleSince !== undefined) return { state: "stale", since: staleSince };
  return shown ? { state: "recovering", expected: shown.expected } : { state: "live" };
}

/** How long a page shows a server that was lost, in ms. */
const lostShownMs = 60_000;

/** The servers for pages; null where there can be one only. @param now in ms since 1970 */
export async function viewOfServers(servers: Servers, now: number): Promise<ServersView | null> {
  if (!servers.areSeveral) return null;
  const staleSince = servers.staleSince ?? null;
  const { alive, leaseMs } = servers;
  const rows = await servers.list();
  // While this server gets no reports, it knows of none that is lost.
  const at = Math.min(now, staleSince ?? now);
  const serverRows = rows.map((row): ShownServer => (
    { ...row, isLost: !row.isSelf && at - row.lastHeartbeatAt > leaseMs }
  ));
  return {
    ...alive,
    staleSince,
    rows: serverRows.filter(({ lastHeartbeatAt, isLost }) =>
      !isLost || at - lastHeartbeatAt <= leaseMs + lostShownMs
    ).sort(byAge),
  };
}

/** The oldest server first, so that a row keeps its place. */
function byAge(one: ServerRow, other: ServerRow): number {
  return one.startedAt - other.startedAt || (one.number < other.number ? -1 : 1);
}

/** How soon after an event for pages that joined there is another, in milliseconds. */
const pauseMs = 1_000;

/** Options of {@link announceStale}. */
interface StaleOptions {
  servers: Servers;
  realtime: RealtimeServer;
  /** The app of the pages. */
  ownApp: () => App;
  broadcastHere: BroadcastHere;
  clock: Clock;
}

/**
 * Notifies the pages that are connected to this server when its numbers become stale and when they
 * change again, including pages that join meanwhile or wait for that.
 *
 * @returns stop
 */
export function announceStale(
  { servers, realtime, ownApp, broadcastHere, clock }: StaleOptions,
): () => void {
  if (!servers.areSeveral) return () => {};
  let announced = servers.staleSince;
  let cancel: (() => void) | undefined;
  let isDue = false;
  const publish = () => {
    announced = servers.staleSince;
    const payload: Stale = { since: announced ?? null };
    broadcastHere(onlineChannel, "Stale", payload);
  };
  /** The first page that joins gets the event at once, those within a second after it get one together. */
  const joined = () => {
    if (servers.staleSince === undefined) return;
    isDue = cancel !== undefined;
    if (isDue) return;
    publish();
    cancel = clock.after(pauseMs, () => {
      cancel = undefined;
      if (isDue) joined();
    });
  };
  const stopListening = [
    servers.onChange(() => {
      if (servers.staleSince !== announced) publish();
    }),
    realtime.onSubscription((channel, { id }) => {
      if (channel === onlineChannel && id === ownApp().settings.id) joined();
    }),
    // A page waits to be subscribed until its user is a member, which takes a connection to the others.
    ownApp().listeners.presence.add(onlineChannel, joined),
  ];
  return () => {
    for (const stop of stopListening) stop();
    cancel?.();
  };
}
