import { isCacheChannel } from "@/realtime/protocol/channel_names.ts";
import type { RealtimeServer } from "@/realtime/server.ts";
import { isGuestId } from "@/shared/client_settings.ts";
import type { AppTotals, ChannelRow } from "@/shared/channel_list.ts";
import { listedKind } from "./listed_channels.ts";
import type { Clock } from "@/realtime/timing/clock.ts";

/** All apps and occupied channels at a moment. */
export interface ChannelStats {
  /** In milliseconds since 1970. */
  at: number;
  apps: AppTotals[];
  channels: ChannelRow[];
}

/** An app, as admins call it. */
export interface NamedApp {
  id: string;
  name: string;
}

/** The part of the realtime server that is counted. */
export type Counted = RealtimeServer;

/** How many channels and users are counted without a pause. */
const atOnce = 2_000;

/** Channels whose users are asked for at the same time. */
const roomsAtOnce = 100;

/** Of more users of an app, in several channels, it is not found out who they are: that reads all these channels. */
const mostCompared = 10_000;

/**
 * Counts every app and channel, without the channels of Rollcall's own pages. It pauses again and again,
 * so that others never wait for it; what changes meanwhile may be counted or not.
 *
 * @param pause lets other work be done.
 */
export async function takeChannelStats(
  realtime: Counted,
  apps: readonly NamedApp[],
  { at, pause }: { at: number; pause: () => Promise<void> },
): Promise<ChannelStats> {
  const counting = new Counting(realtime, pause);
  const totals: AppTotals[] = [];
  for (const app of apps) totals.push(await counting.countApp(app));
  return { at, apps: totals, channels: counting.channels };
}

class Counting {
  readonly channels: ChannelRow[] = [];
  readonly #realtime: Counted;
  readonly #pause: () => Promise<void>;
  #counted = 0;

  constructor(realtime: Counted, pause: () => Promise<void>) {
    this.#realtime = realtime;
    this.#pause = pause;
  }

  async countApp({ id, name }: NamedApp): Promise<AppTotals> {
    const [app, api] = [this.#realtime.onAllServers(id), this.#realtime.appApi(id)];
    const before = this.channels.length;
    const channels = await api?.channels() ?? [];
    const states = await api?.states(channels) ?? [];
    let subscriptions = 0;
    for (const [index, channel] of channels.entries()) {
      const state = states[index];
      if (!state) continue;
      const row = rowOf({ id, name }, channel, { ...state, guests: this.#guests(id, channel) });
      this.channels.push(row);
      subscriptions += row.subscriptions;
      await this.#count(1);
    }
    const rows = this.channels.slice(before);
    return {
      id,
      name,
      subscriptions,
      ...await this.#users(api, rows),
      connections: (await app?.connections())?.connections ?? 0,
      channels: rows.length,
    };
  }

  /** How many members of a channel are guests: they are in a channel that each server follows. */
  #guests(appId: string, channel: string): number | undefined {
    return this.#realtime.app(appId)?.presence.counts(channel).guests;
  }

  /** The users in channels, each once, with the guests among them; null where that is not found out. */
  async #users(
    api: ReturnType<Counted["appApi"]>,
    rows: readonly ChannelRow[],
  ): Promise<{ users: number | null; guests?: number }> {
    const rooms = rows.filter(({ users }) => users !== null && users > 0);
    const sum = rooms.reduce((sum, { users }) => sum + users!, 0);
    const guests = rooms.find((room) => room.guests)?.guests;
    if (rooms.length < 2) return { users: sum, ...guests && { guests } };
    if (sum > mostCompared) return { users: null };
    const users = new Set<string>();
    // Some together: each is a request to Redis, where there are several servers.
    for (let start = 0; start < rooms.length; start += roomsAtOnce) {
      const some = rooms.slice(start, start + roomsAtOnce);
      const all = await Promise.all(some.map(({ name }) => api?.users(name) ?? []));
      for (const user of all.flat()) users.add(user);
      await this.#count(all.flat().length);
    }
    return { users: users.size, ...guests && { guests: [...users].filter(isGuestId).length } };
  }

  async #count(counted: number): Promise<void> {
    this.#counted += counted;
    if (this.#counted >= atOnce) await this.#rest();
  }

  async #rest(): Promise<void> {
    this.#counted = 0;
    await this.#pause();
  }
}

/** A row of the list. */
export function rowOf(
  app: NamedApp,
  name: string,
  { userCount = null, guests, subscriptionCount: subscriptions }: {
    userCount?: number | null;
    guests?: number;
    subscriptionCount: number;
  },
): ChannelRow {
  return {
    appId: app.id,
    app: app.name,
    name,
    users: userCount,
    ...guests && { guests },
    subscriptions,
    kind: listedKind(name),
    isCache: isCacheChannel(name),
  };
}

/** For how long channel stats are used, at least, in milliseconds. */
const leastAgeMs = 1_000;

/** Channel stats that take long are used for longer: counting takes at most this part of the time. */
const mostOfTheTime = 1 / 10;

/** When channel stats that no page asked for again are dropped, in milliseconds. */
const keptMs = 10_000;

/**
 * Counts when a page asks, and at most once a second however many ask. While no page asks it does
 * nothing and keeps nothing.
 */
export class ChannelStatsCache {
  readonly #take: () => Promise<ChannelStats>;
  readonly #clock: Clock;
  #last: { channelStats: Promise<ChannelStats>; until: number } | undefined;
  #cancel: (() => void) | undefined;

  constructor(take: () => Promise<ChannelStats>, clock: Clock) {
    this.#take = take;
    this.#clock = clock;
  }

  /** The latest channel stats. */
  read(): Promise<ChannelStats> {
    const start = this.#clock.now();
    if (this.#last && start < this.#last.until) return this.#last.channelStats;
    const last = this.#last = { channelStats: this.#take(), until: Infinity };
    last.channelStats.then(() => {
      const end = this.#clock.now();
      last.until = end + Math.max(leastAgeMs, (end - start) / mostOfTheTime);
    }, () => this.forget());
    this.#cancel?.();
    this.#cancel = this.#clock.after(keptMs, () => this.forget());
    return last.channelStats;
  }

  /** The next reader gets new channel stats; call it when the apps changed. */
  forget(): void {
    this.#cancel?.();
    this.#cancel = this.#last = undefined;
  }
}
