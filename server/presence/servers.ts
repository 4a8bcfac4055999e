import type { ServerRow, ServersView, ShownServer } from "@/shared/servers.ts";

export type { ServerRow } from "@/shared/servers.ts";

/** The servers of an installation, as this one knows them. */
export interface Servers {
  /** Whether several servers can share the count; false without REDIS_URL: then pages show nothing of this. */
  readonly areSeveral: boolean;
  /**
   * Since when this server's numbers stand still, because it is not connected to the others; undefined
   * while it is. In ms since 1970.
   */
  readonly standsStillSince: number | undefined;
  /** Whether this server has lost Redis for two leases while others reach it: clients are better off there. */
  readonly isCutOff: boolean;
  /** Whether this server does the work that an installation does once. */
  readonly isLeader: boolean;
  /** After how long without a report a server is lost, in ms. */
  readonly leaseMs: number;
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
  standsStillSince: undefined,
  isCutOff: false,
  isLeader: true,
  leaseMs: 10_000,
  alive: { alive: 1, known: 1 },
  ignoredMessages: { malformed: 0, unknown: 0 },
  list: () => Promise.resolve([]),
  onChange: () => () => {},
};

/** How long a page shows a server that was lost, in ms. */
const lostShownMs = 60_000;

/** The servers for pages; null where there can be one only. @param now in ms since 1970 */
export async function viewOfServers(servers: Servers, now: number): Promise<ServersView | null> {
  if (!servers.areSeveral) return null;
  const standsStillSince = servers.standsStillSince ?? null;
  const { alive, leaseMs } = servers;
  const rows = await servers.list();
  // While this server gets no reports, it knows of none that is lost.
  const at = Math.min(now, standsStillSince ?? now);
  const shown = rows.map((row): ShownServer => (
    { ...row, isLost: !row.isSelf && at - row.lastBeatAt > leaseMs }
  ));
  return {
    ...alive,
    standsStillSince,
    rows: shown.filter(({ lastBeatAt, isLost }) =>
      !isLost || at - lastBeatAt <= leaseMs + lostShownMs
    ).sort(byAge),
  };
}

/** The oldest server first, so that a row keeps its place. */
function byAge(one: ServerRow, other: ServerRow): number {
  return one.startedAt - other.startedAt || (one.number < other.number ? -1 : 1);
}
