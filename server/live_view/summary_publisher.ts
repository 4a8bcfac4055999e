import { Throttle } from "@/realtime/timing/throttle.ts";
import type { Activity, Totals } from "@/shared/online.ts";
import type { ChannelPresence } from "../presence/channel_presence.ts";
import type { ChannelPublisherOptions } from "./channel_publisher.ts";

/** The least time between two events, in milliseconds: they can wait for the events to 100,000 users. */
const everyMs = 250;

/** The activity of an event: as much as pages show, and this many bytes of JSON at most. */
const [maxActivity, maxActivityBytes] = [20, 6_000];

/**
 * Publishes how many users are in a large channel and what happened last, after changes: at most four
 * times a second, and 7 KB each, however many come and go. While no admin's page is open it does no work.
 */
export class SummaryPublisher {
  readonly #options: ChannelPublisherOptions;
  #activity: Activity[] = [];
  #joined = 0;
  #left = 0;
  readonly #throttle: Throttle;

  constructor(options: ChannelPublisherOptions) {
    this.#options = options;
    const { clock, isWatched, log } = options;
    this.#throttle = new Throttle(clock, everyMs, {
      isWatched,
      unwatched: () => this.#forget(),
      publish: () => this.#publish(),
      failed: (error) =>
        log({ level: "error", message: "A summary could not be published", error }),
    });
  }

  /** The counts or the people changed. */
  changed(): void {
    this.#throttle.changed();
  }

  /** The activity log has new entries. @param earlier how many others it has that came before them */
  activityStored(entries: readonly Activity[], { joined, left } = { joined: 0, left: 0 }): void {
    if (this.#throttle.isStopped || !this.#options.isWatched()) return;
    const joins = entries.filter(({ change }) => change === "joined").length;
    this.#joined += joined + joins;
    this.#left += left + entries.length - joins;
    this.#activity = [...this.#activity, ...entries].slice(-maxActivity);
    this.changed();
  }

  /** What was to be published is not: pages ask for a list. */
  rest(): void {
    this.#throttle.rest();
    this.#forget();
  }

  /** Publishes nothing more. */
  stop(): void {
    this.#throttle.stop();
    this.#forget();
  }

  #forget(): void {
    this.#activity = [];
    this.#joined = this.#left = 0;
  }

  #publish(): void {
    const { clock, presence, publishSummary } = this.#options;
    const [joined, left] = [this.#joined, this.#left];
    const activity = newestWithin(maxActivityBytes, this.#activity);
    this.#forget();
    const totals = totalsOf(presence);
    publishSummary({ at: clock.date(), isLarge: true, ...totals, joined, left, activity });
  }
}

/** The totals of a channel. */
export function totalsOf({ counts, active }: ChannelPresence): Totals {
  return { ...counts, active };
}

/** The newest entries whose JSON is no longer than this many bytes together; oldest first, as they are. */
function newestWithin(maxBytes: number, entries: readonly Activity[]): Activity[] {
  let bytes = 0;
  const oldest = entries.findLastIndex((entry) => {
    bytes += new TextEncoder().encode(JSON.stringify(entry)).length + 1;
    return bytes > maxBytes;
  });
  return entries.slice(oldest + 1);
}
