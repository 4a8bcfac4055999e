import type { LogEntry } from "@/realtime/server.ts";
import type { Clock } from "@/realtime/timing/clock.ts";
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
  #dueAt = -Infinity;
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(options: TotalsPublisherOptions) {
    this.#options = options;
  }

  /** A number changed. */
  changed(): void {
    const { clock, watched } = this.#options;
    if (this.#isStopped || this.#cancel || watched().length === 0) return;
    const wait = Math.max(0, this.#dueAt - clock.now());
    this.#cancel = clock.after(wait, () => this.#publish());
  }

  /** Publishes nothing more. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  #publish(): void {
    const { clock, log, publish, totals, watched } = this.#options;
    this.#cancel = undefined;
    const start = clock.now();
    this.#dueAt = start + pauseMs;
    const channels = watched();
    if (channels.length === 0) return;
    try {
      const counted = totals();
      this.#dueAt = start + Math.max(pauseMs, (clock.now() - start) / mostOfTheTime);
      for (const channel of channels) publish(channel, counted);
    } catch (error) {
      log({ level: "error", message: "The sum of users could not be published", error });
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
