import type { LogEntry } from "@/realtime/server.ts";
import type { Clock } from "@/realtime/timing/clock.ts";
import type { OnlineSummary } from "@/shared/large_channel.ts";
import type { Activity, Totals } from "@/shared/online.ts";

/** Options of a {@link SummaryPublisher}. */
export interface SummaryPublisherOptions {
  counts: () => Totals;
  /** Whether an admin has a page open that shows it. */
  isWatched: () => boolean;
  publish: (summary: OnlineSummary) => void;
  clock: Clock;
  log: (entry: LogEntry) => void;
}

/** The least time between two events, in milliseconds: they can wait for those to 100,000 users. */
const everyMs = 250;

/** The activity of an event: as much as pages show, and this many bytes of JSON at most. */
const [maxActivity, maxActivityBytes] = [20, 6_000];

/**
 * Publishes how many users are in a large channel and what happened last, after changes: at most four
 * times a second, and 7 KB each, however many come and go. While no admin's page is open it does no work.
 */
export class SummaryPublisher {
  readonly #options: SummaryPublisherOptions;
  #activity: Activity[] = [];
  #joined = 0;
  #left = 0;
  #publishedAt = -Infinity;
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(options: SummaryPublisherOptions) {
    this.#options = options;
  }

  /** The counts or the people changed. */
  changed(): void {
    if (this.#isStopped || this.#cancel) return;
    const { clock, isWatched } = this.#options;
    if (!isWatched()) return this.#forget();
    const wait = Math.max(0, this.#publishedAt + everyMs - clock.now());
    this.#cancel = clock.after(wait, () => this.#publish());
  }

  /** The activity log has new entries. @param earlier how many others it has that came before them */
  activityStored(entries: readonly Activity[], { joined, left } = { joined: 0, left: 0 }): void {
    if (this.#isStopped || !this.#options.isWatched()) return;
    const joins = entries.filter(({ change }) => change === "joined").length;
    this.#joined += joined + joins;
    this.#left += left + entries.length - joins;
    this.#activity = [...this.#activity, ...entries].slice(-maxActivity);
    this.changed();
  }

  /** What was to be published is not: pages ask for a list. */
  rest(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#forget();
  }

  /** Publishes nothing more. */
  stop(): void {
    this.#isStopped = true;
    this.rest();
  }

  #forget(): void {
    this.#activity = [];
    this.#joined = this.#left = 0;
  }

  #publish(): void {
    const { clock, counts, isWatched, log, publish } = this.#options;
    this.#cancel = undefined;
    if (!isWatched()) return this.#forget();
    this.#publishedAt = clock.now();
    const { users, connections } = counts();
    const [joined, left] = [this.#joined, this.#left];
    const activity = newestWithin(maxActivityBytes, this.#activity);
    this.#forget();
    try {
      publish({ at: clock.date(), isLarge: true, users, connections, joined, left, activity });
    } catch (error) {
      log({ level: "error", message: "A summary could not be published", error });
    }
  }
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
