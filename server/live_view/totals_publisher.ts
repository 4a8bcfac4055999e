import type { LogEntry } from "@/realtime/server.ts";
import type { Clock } from "@/realtime/timing/clock.ts";
import { Throttle } from "@/realtime/timing/throttle.ts";
import type { CountedTotals } from "@/shared/counted.ts";

/** Options of a {@link TotalsPublisher}. */
interface TotalsPublisherOptions {
  /** The users of all counted channels now; takes time with many users. */
  totals: () => CountedTotals;
  /** The channels of the admins' pages that are open. */
  watched: () => string[];
  publish: (channel: string, totals: CountedTotals) => void;
  clock: Clock;
  log: (entry: LogEntry) => void;
}

/** Between two events, in milliseconds. */
const pauseMs = 500;

/** To count many users takes long: at most this part of the time. */
const mostOfTheTime = 1 / 20;

/**
 * Publishes how many users all counted channels have, after changes, at most twice a second and always
 * the last number. It counts nothing while no admin's page is open.
 */
export class TotalsPublisher {
  readonly #options: TotalsPublisherOptions;
  readonly #throttle: Throttle;

  constructor(options: TotalsPublisherOptions) {
    this.#options = options;
    const { clock, log, watched } = options;
    this.#throttle = new Throttle(clock, pauseMs, {
      isWatched: () => watched().length > 0,
      publish: () => this.#publish(),
      failed: (error) =>
        log({ level: "error", message: "The sum of users could not be published", error }),
    });
  }

  /** A number changed. */
  changed(): void {
    this.#throttle.changed();
  }

  /** Publishes nothing more. */
  stop(): void {
    this.#throttle.stop();
  }

  #publish(): void {
    const { clock, publish, totals, watched } = this.#options;
    const start = clock.now();
    const counted = totals();
    this.#throttle.pause((clock.now() - start) / mostOfTheTime);
    for (const channel of watched()) publish(channel, counted);
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
