import { isWithin, type Limits } from "@/shared/permissions.ts";
import type {
  AppTotals,
  ChannelColumn,
  ChannelList,
  ChannelQuery,
  ChannelRow,
  ListedKind,
} from "@/shared/channel_list.ts";
import type { ChannelStats } from "./stats.ts";
import {
  channelKind,
  isEncryptedChannel,
  isUserChannelName,
} from "@/realtime/protocol/channel_names.ts";
import type { Clock } from "@/realtime/timing/clock.ts";

/** Channels on a page. */
const pageSize = 50;

/** What a reader may see of the channel stats: of an app with only some channels, what these have. */
export function statsWithin(stats: ChannelStats, limits: Limits): ChannelStats {
  if (limits === null) return stats;
  const { apps, at } = stats;
  const channels = stats.channels.filter(({ appId, name }) =>
    isWithin(limits, { appId, channel: name })
  );
  const visible = apps.flatMap((app): AppTotals[] => {
    if (isWithin(limits, { appId: app.id, channel: null })) return [app];
    const rows = channels.filter(({ appId }) => appId === app.id);
    const isNamed = limits.some((limit) => limit.app === app.id);
    return isNamed || rows.length > 0 ? [totalsOfSome(app, rows)] : [];
  });
  return { at, apps: visible, channels };
}

function totalsOfSome(
  { id, name }: AppTotals,
  rows: readonly ChannelRow[],
): AppTotals {
  const [room, ...others] = rows.filter(({ users }) => users !== null && users > 0);
  return {
    id,
    name,
    connections: null,
    channels: rows.length,
    users: others.length > 0 ? null : room?.users ?? 0,
    ...others.length === 0 && room?.guests && { guests: room.guests },
    subscriptions: rows.reduce(
      (sum, { subscriptions }) => sum + subscriptions,
      0,
    ),
  };
}

/** The page of the list that a query asks for, or the last one if there are fewer. */
export function channelList(
  { apps, at, channels }: ChannelStats,
  query: ChannelQuery,
): ChannelList {
  const matching = channels.filter(filterOf(query));
  const pages = Math.max(1, Math.ceil(matching.length / pageSize));
  const page = Math.min(query.page, pages);
  const rows = firstOf(matching, page * pageSize, orderOf(query.sort)).slice((page - 1) * pageSize);
  return { query, apps, rows, hits: matching.length, total: channels.length, page, pages, at };
}

function filterOf({ search, app, kind }: ChannelQuery): (row: ChannelRow) => boolean {
  const part = search.toLowerCase();
  return ({ appId, isCache, kind: own, name }) =>
    (app === "" || appId === app) &&
    (kind === "" || (kind === "cache" ? isCache : own === kind)) &&
    (part === "" || name.toLowerCase().includes(part));
}

type Comparison = (a: ChannelRow, b: ChannelRow) => number;

/** Equals are sorted by name, in either direction. */
function orderOf({ column, descending }: ChannelQuery["sort"]): Comparison {
  const key = keys[column];
  const sign = descending ? -1 : 1;
  return (a, b) => sign * compare(key(a), key(b)) || compare(a.name, b.name);
}

const keys: Record<ChannelColumn, (row: ChannelRow) => string | number> = {
  name: ({ name }) => name,
  app: ({ app }) => app.toLowerCase(),
  kind: ({ kind }) => kind,
  users: ({ users }) => users ?? -1,
  subscriptions: ({ subscriptions }) => subscriptions,
};

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The first rows in an order. Most rows are compared once: to sort 10,000 takes ten times as long. */
export function firstOf(
  rows: readonly ChannelRow[],
  count: number,
  order: Comparison,
): ChannelRow[] {
  let first: ChannelRow[] = [];
  let last: ChannelRow | undefined;
  for (const row of rows) {
    if (last && order(row, last) >= 0) continue;
    if (first.push(row) < 2 * count) continue;
    first = first.sort(order).slice(0, count);
    last = first.at(-1);
  }
  return first.sort(order).slice(0, count);
}

/** The kind of a channel, as admins see it. */
export function listedKind(name: string): ListedKind {
  if (isUserChannelName(name)) return "user";
  return isEncryptedChannel(name) ? "encrypted" : channelKind(name);
}

/** A search that takes long is used for longer: searching takes at most this part of the time. */
const mostOfTheTime = 1 / 10;

/** When what no page asked for again is dropped, in milliseconds. */
const keptMs = 60_000;

/** Searches that are kept; beyond, the one that was made the longest ago is dropped. */
const maxKept = 20;

/**
 * What searches for members found: the ids. A page asks again every few seconds; a search in a channel with
 * very many members, which takes time, is then not made again at once, however many pages ask.
 */
export class MemberSearches {
  readonly #clock: Clock;
  readonly #found = new Map<string, { ids: Promise<string[]>; until: number }>();
  #cancel = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What a search found, now or a short while ago. @param key what is searched for, and where */
  read(key: string, search: () => Promise<string[]>): Promise<string[]> {
    const start = this.#clock.now();
    this.#cancel();
    this.#cancel = this.#clock.after(keptMs, () => this.#found.clear());
    const cached = this.#found.get(key);
    if (cached && start < cached.until) return cached.ids;
    const result = { ids: search(), until: Infinity };
    this.#found.delete(key);
    this.#found.set(key, result);
    const [oldest] = this.#found.keys();
    if (this.#found.size > maxKept) this.#found.delete(oldest);
    result.ids.then(() => {
      const end = this.#clock.now();
      result.until = end + (end - start) / mostOfTheTime;
    }, () => result.until = -Infinity);
    return result.ids;
  }
}
