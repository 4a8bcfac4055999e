import { isCacheChannel } from "../realtime/protocol/channel_names.ts";
import type { RealtimeServer } from "../realtime/server.ts";
import type { AppTotals, ChannelRow } from "../shared/channel_list.ts";
import { listedKind } from "./channel_kind.ts";

/** All apps and occupied channels at a moment. */
export interface Census {
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
export type Counted = Pick<RealtimeServer, "app" | "appApi" | "onAllServers">;

/** How many channels and users are counted without a pause. */
const atOnce = 2_000;

/**
 * Counts every app and channel, without the channels of Rollcall's own pages. It pauses again and again,
 * so that others never wait for it; what changes meanwhile may be counted or not.
 *
 * @param pause lets other work be done.
 */
export async function takeCensus(
  realtime: Counted,
  apps: readonly NamedApp[],
  { at, pause }: { at: number; pause: () => Promise<void> },
): Promise<Census> {
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
    const users = new Set<string>();
    let subscriptions = 0;
    let asked: string[] = [];
    // Together: each is a question to Redis, where there are several servers.
    const addUsers = async () => {
      const all = await Promise.all(asked.map((channel) => api?.users(channel) ?? []));
      for (const user of all.flat()) users.add(user);
      asked = [];
    };
    const channels = await api?.channels() ?? [];
    const states = await api?.states(channels) ?? [];
    for (const [index, channel] of channels.entries()) {
      const state = states[index];
      if (!state) continue;
      const row = rowOf({ id, name }, channel, state);
      this.channels.push(row);
      subscriptions += row.subscriptions;
      if (row.users) asked.push(channel);
      this.#counted += 1 + (row.users ?? 0);
      if (this.#counted < atOnce) continue;
      await addUsers();
      await this.#rest();
    }
    await addUsers();
    return {
      ...{ id, name, subscriptions, users: users.size },
      connections: (await app?.connections())?.connections ?? 0,
      channels: this.channels.length - before,
    };
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
  { userCount = null, subscriptionCount: subscriptions }: {
    userCount?: number | null;
    subscriptionCount: number;
  },
): ChannelRow {
  return {
    ...{ appId: app.id, app: app.name, name, users: userCount, subscriptions },
    kind: listedKind(name),
    isCache: isCacheChannel(name),
  };
}
