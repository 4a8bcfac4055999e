import type { LogEntry } from "@/realtime/server.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import { Throttle } from "@/realtime/timing/throttle.ts";
import { isGuestId } from "@/shared/client_settings.ts";
import { type CountedTotals, onlineKey } from "@/shared/counted.ts";
import type { Core } from "../core.ts";
import { shownOnTotals } from "../presence/channels.ts";
import type { FollowedChannel } from "./counted_channel.ts";

/** Between two events, in milliseconds. */
const pauseMs = 500;

/** To count many users takes long: at most this part of the time. */
const mostOfTheTime = 1 / 20;

/**
 * Publishes how many users the counted channels have, after changes, at most twice a second and always
 * the last number: to each page of those that its reader may see. It counts nothing while no admin's page is open.
 */
export class TotalsPublisher {
  readonly #core: Core;
  readonly #channels: readonly FollowedChannel[];
  readonly #clock: Clock;
  readonly #throttle: Throttle;
  /** The channels that pages have joined here, each for some of the counted ones. */
  readonly #joined = new Set<string>();

  /** @param channels the counted ones, the channel of the users online first. */
  constructor(
    core: Core,
    channels: readonly FollowedChannel[],
    log: (entry: LogEntry) => void,
    clock: Clock = systemClock,
  ) {
    this.#core = core;
    this.#channels = channels;
    this.#clock = clock;
    this.#throttle = new Throttle(clock, pauseMs, {
      isWatched: () => this.#isWatched(),
      publish: () => this.#publish(),
      failed: (error) =>
        log({ level: "error", message: "The sum of users could not be published", error }),
    });
  }

  /** The users now; takes time with many users. See {@link LiveView.totals}. */
  current({ isShown = () => true, joining }: ShownTotals = {}): CountedTotals {
    const shown = this.#channels.filter(({ key }) => isShown(key));
    const counted = shown.map(({ key, appId, presence: { now: { guests, userIds } } }) => {
      const joins = joining !== undefined && key === onlineKey && !userIds.includes(joining);
      return { key, appId, guests, userIds: joins ? [...userIds, joining] : userIds };
    });
    return { at: this.#clock.date(), ...usersTotal(counted) };
  }

  /** A page joined a channel for some of the counted ones. It gets the number at once. */
  joined(channel: string): void {
    this.#joined.add(channel);
    this.changed();
  }

  /** A number changed. */
  changed(): void {
    this.#throttle.changed();
  }

  /** Publishes nothing more. */
  stop(): void {
    this.#throttle.stop();
  }

  #isWatched(): boolean {
    for (const channel of this.#joined) {
      if (!this.#core.ownApp.isOccupied(channel)) this.#joined.delete(channel);
    }
    return this.#joined.size > 0;
  }

  #publish(): void {
    const start = this.#clock.now();
    for (const channel of this.#joined) {
      const counted = this.current({ isShown: shownOnTotals(channel) });
      this.#core.broadcastHere(channel, "CountedChanged", counted);
    }
    this.#throttle.pause((this.#clock.now() - start) / mostOfTheTime);
  }
}

/** Which counted channels are summed up, and for whom. */
export interface ShownTotals {
  /** Of a counted channel by its key; all are shown without it. */
  isShown?: (key: string) => boolean;
  /** The id of a user who counts as online already, because a page is about to join. */
  joining?: string;
}

/** The users of a counted channel. */
interface ChannelUsers {
  key: string;
  appId: string;
  userIds: readonly string[];
  /** How many of them are guests; absent when none is. */
  guests?: number;
}

/** The users of several channels, each once, and how many of them are guests. Pure. */
export function usersTotal(channels: readonly ChannelUsers[]): Omit<CountedTotals, "at"> {
  const byApp = Map.groupBy(channels, ({ appId }) => appId);
  let [users, guests] = [0, 0];
  for (const ofApp of byApp.values()) {
    const total = totalOfApp(ofApp);
    users += total.users;
    guests += total.guests;
  }
  return {
    users,
    ...guests > 0 && { guests },
    channels: channels.map(({ key, userIds }) => ({ key, users: userIds.length })),
  };
}

function totalOfApp(
  [first, ...others]: readonly ChannelUsers[],
): { users: number; guests: number } {
  if (others.length === 0) return { users: first.userIds.length, guests: first.guests ?? 0 };
  const ids = new Set(first.userIds);
  for (const { userIds } of others) for (const id of userIds) ids.add(id);
  const hasGuests = [first, ...others].some(({ guests }) => guests);
  return { users: ids.size, guests: hasGuests ? guestsIn(ids) : 0 };
}

function guestsIn(ids: Iterable<string>): number {
  let guests = 0;
  for (const id of ids) guests += isGuestId(id) ? 1 : 0;
  return guests;
}
