import type { LogEntry } from "@/realtime/server.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import { Throttle } from "@/realtime/timing/throttle.ts";
import type { CountedTotals } from "@/shared/counted.ts";
import type { Core } from "../core.ts";
import type { FollowedChannel } from "./counted_channel.ts";

/** Between two events, in milliseconds. */
const pauseMs = 500;

/** To count many users takes long: at most this part of the time. */
const mostOfTheTime = 1 / 20;

/**
 * Publishes how many users all counted channels have, after changes, at most twice a second and always
 * the last number. It counts nothing while no admin's page is open.
 */
export class TotalsPublisher {
  readonly #core: Core;
  readonly #channels: readonly FollowedChannel[];
  readonly #clock: Clock;
  readonly #throttle: Throttle;

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
      isWatched: () => this.#openPages().length > 0,
      publish: () => this.#publish(),
      failed: (error) =>
        log({ level: "error", message: "The sum of users could not be published", error }),
    });
  }

  /** The users now; takes time with many users. @param joining see {@link LiveView.totals} */
  current(joining?: string): CountedTotals {
    const [first, ...others] = this.#channels.map(({ key, appId, presence }) => (
      { key, appId, userIds: presence.now.userIds }
    ));
    const joins = joining !== undefined && !first.userIds.includes(joining);
    const userIds = joins ? [...first.userIds, joining] : first.userIds;
    return { at: this.#clock.date(), ...usersTotal([{ ...first, userIds }, ...others]) };
  }

  /** A number changed. */
  changed(): void {
    this.#throttle.changed();
  }

  /** Publishes nothing more. */
  stop(): void {
    this.#throttle.stop();
  }

  #openPages(): string[] {
    return this.#channels.map(({ pagesChannel }) => pagesChannel)
      .filter((channel) => this.#core.ownApp.isOccupied(channel));
  }

  #publish(): void {
    const start = this.#clock.now();
    const counted = this.current();
    this.#throttle.pause((this.#clock.now() - start) / mostOfTheTime);
    for (const channel of this.#openPages()) {
      this.#core.broadcastHere(channel, "CountedChanged", counted);
    }
  }
}

/** The users of a counted channel. */
interface ChannelUsers {
  key: string;
  appId: string;
  userIds: readonly string[];
}

/** The users of several channels, each once. Pure. */
export function usersTotal(channels: readonly ChannelUsers[]): Omit<CountedTotals, "at"> {
  const byApp = Map.groupBy(channels, ({ appId }) => appId);
  let users = 0;
  for (const ofApp of byApp.values()) users += distinct(ofApp.map(({ userIds }) => userIds));
  return { users, channels: channels.map(({ key, userIds }) => ({ key, users: userIds.length })) };
}

/** How many different ids lists have, each without repetitions. */
function distinct([first = [], ...others]: readonly (readonly string[])[]): number {
  if (others.length === 0) return first.length;
  const ids = new Set(first);
  for (const list of others) for (const id of list) ids.add(id);
  return ids.size;
}
