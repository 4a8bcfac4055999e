import type { Clock } from "@/realtime/timing/clock.ts";
import type { LogEntry, PresenceChange } from "@/realtime/server.ts";
import type { OnlineRows, OnlineSummary } from "@/shared/large_channel.ts";
import type { Activity, OnlineChanged, OnlineSnapshot } from "@/shared/online.ts";
import type { OnlineTablePage, OnlineTableQuery } from "@/shared/online_table.ts";
import type { AccountsOf } from "../presence/identity.ts";
import type { ChannelPresence } from "../presence/channel_presence.ts";
import { OnlinePublisher } from "./online_publisher.ts";
import { onlineTablePage, windowOfPage } from "./online_table_page.ts";
import { type AfterRequest, LiveMemberIndex, type PeopleAfter } from "./live_member_index.ts";
import type { WindowRequest } from "./sorted_people.ts";
import { SummaryPublisher, totalsOf } from "./summary_publisher.ts";

/**
 * With more users a channel is large: admins' pages are sent totals, and ask for the rows that they show. A
 * list of 5,000 is 0.7 MB of JSON, which each page loads, copies and sorts; and the server takes 6 ms of
 * CPU twice a second to find out what changed in it.
 */
export const largeAbove = 5_000;

/** With fewer it is small again. Between the two it stays what it was, as a change has pages load a list. */
export const smallBelow = 4_000;

/** Whether a channel is large. @param before whether it was */
function isLargeNow(before: boolean, users: number): boolean {
  return before ? users >= smallBelow : users > largeAbove;
}

/** How long a page waits for its rows, in milliseconds: a list is made once, and takes time. */
const longestMs = 500;

/** Options of a {@link ChannelPublisher}, and of what it is made of. */
export interface ChannelPublisherOptions {
  /** The key of the counted channel. */
  channel: string;
  presence: ChannelPresence;
  /** Whether users can be on other servers. */
  areSeveral?: boolean;
  accountsOf: AccountsOf;
  /** The name of the app whose users are online; undefined while it is the only one. */
  source: () => string | undefined;
  /** Whether an admin has a page open that shows it. */
  isWatched: () => boolean;
  publishChanges: (changed: OnlineChanged) => void;
  publishSummary: (summary: OnlineSummary) => void;
  /** The channel became large, or small again. */
  resized?: (isLarge: boolean) => void;
  clock: Clock;
  log: (entry: LogEntry) => void;
  /** Lets other work be done. */
  pause?: () => Promise<void>;
}

/**
 * Keeps admins' pages up to date with who is in a channel: pages of a small one get every change of the
 * list that they have, pages of a large one get totals, and ask for the rows that they show.
 */
export class ChannelPublisher {
  readonly #options: ChannelPublisherOptions;
  readonly #changes: OnlinePublisher;
  readonly #summaries: SummaryPublisher;
  readonly #memberIndex: LiveMemberIndex;
  #isLarge = false;

  constructor(options: ChannelPublisherOptions) {
    this.#options = options;
    this.#changes = new OnlinePublisher(options);
    this.#summaries = new SummaryPublisher(options);
    this.#memberIndex = new LiveMemberIndex(options);
  }

  /** Whether it is large. */
  get isLarge(): boolean {
    return this.#isLarge;
  }

  /** A user joined or left, opened, closed or changed a page. */
  presenceChanged({ users, userId }: PresenceChange): void {
    if (userId !== undefined) this.#memberIndex.changed(userId);
    else this.#memberIndex.changedRemotely();
    const isLarge = isLargeNow(this.#isLarge, users);
    if (isLarge !== this.#isLarge) this.#resize(isLarge);
    this.changed();
  }

  /** A user changed a page, or the source is another one. */
  changed(): void {
    if (this.#isLarge) this.#summaries.changed();
    else this.#changes.changed();
  }

  /** A user is active, idle or neither from now on. */
  activityChanged(userId: string): void {
    this.#memberIndex.changed(userId);
    this.changed();
  }

  /** All members left at once, as their app was removed or replaced. */
  replaced(): void {
    this.#memberIndex.forget();
  }

  /**
   * The activity log has new entries, for the pages' tickers.
   *
   * @param earlier how many others it has that came before them.
   */
  activityStored(entries: readonly Activity[], earlier?: { joined: number; left: number }): void {
    if (this.#isLarge) this.#summaries.activityStored(entries, earlier);
    else for (const entry of entries) this.#changes.activityStored(entry);
  }

  /** The name or role of a user changed. */
  identityChanged(id: string): void {
    this.#memberIndex.identityChanged(id);
    if (this.#isLarge) this.#summaries.changed();
    else this.#changes.identityChanged(id);
  }

  /** Everyone who is online, or only how many when there are too many. */
  async snapshot(): Promise<OnlineSnapshot> {
    if (!this.#isLarge) return await this.#changes.snapshot();
    const at = this.#options.clock.date();
    return {
      epoch: "",
      version: 0,
      at,
      people: [],
      isLarge: true,
      ...totalsOf(this.#options.presence),
    };
  }

  /** Rows of the online table. */
  rows(query: OnlineTableQuery, request: WindowRequest): Promise<OnlineRows> {
    return this.#memberIndex.rows(query, request);
  }

  /** People in the order of their ids; see {@link LiveMemberIndex.after}. */
  peopleAfter(
    query: Omit<OnlineTableQuery, "sort">,
    request: AfterRequest,
  ): Promise<PeopleAfter> {
    return this.#memberIndex.after(query, request);
  }

  /**
   * A page of the online table. Of a large room that is not sorted within {@link longestMs}, it has no rows
   * and is late.
   *
   * @param page its number, as in {@link onlineTablePage}
   */
  async page(
    snapshot: OnlineSnapshot,
    query: OnlineTableQuery,
    page: number,
  ): Promise<OnlineTablePage> {
    if (!snapshot.isLarge) return onlineTablePage(snapshot, query, page);
    const { clock } = this.#options;
    const { request, place } = windowOfPage(snapshot.users, page);
    const late = Promise.withResolvers<null>();
    const cancel = clock.after(longestMs, () => late.resolve(null));
    const rows = await Promise.race([late.promise, this.#memberIndex.rows(query, request)])
      .finally(cancel);
    if (rows) return { ...place(rows, query), isLate: false };
    const { at, users: total } = snapshot;
    const noRows = { at, total, hits: total, offset: request.offset, people: [] };
    return { ...place(noRows, query), isLate: true };
  }

  /** Publishes nothing more. Resolves when a look-up that has begun has ended. */
  async stop(): Promise<void> {
    this.#summaries.stop();
    this.#memberIndex.forget();
    await this.#changes.stop();
  }

  #resize(isLarge: boolean): void {
    this.#isLarge = isLarge;
    this.#summaries.rest();
    this.#changes.rest();
    this.#options.resized?.(isLarge);
    if (isLarge || !this.#options.isWatched()) return;
    // Pages of the large channel do not follow changes: this has them ask for a list.
    const at = this.#options.clock.date();
    const nothing = { joined: 0, left: 0, activity: [] };
    this.#options.publishSummary({ at, isLarge, ...totalsOf(this.#options.presence), ...nothing });
  }
}
