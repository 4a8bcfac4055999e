import type { LogEntry, OpenPage, OpenPages } from "@/realtime/server.ts";
import { type CountedPage, maxTopPages, type TopPages } from "@/shared/list_page.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import { Throttle } from "@/realtime/timing/throttle.ts";
import type { Core } from "../core.ts";
import type { ChannelPresence } from "../presence/channel_presence.ts";
import { adminChannel } from "../presence/channels.ts";

/** Paths that are counted at once. Users on further ones count as being elsewhere. */
export const maxCountedPaths = 1_000;

/**
 * The pages that most users have open, by the number of users.
 *
 * @param opened the pages of each user.
 * @param others the pages of users of other servers; a user of several counts on each.
 */
export function topPages(
  opened: Iterable<readonly Omit<OpenPage, "since">[]>,
  others: Iterable<OpenPages> = [],
): Omit<TopPages, "at"> {
  const users = new Map<string, number>();
  const devices = { phone: 0, tablet: 0, desktop: 0 };
  const groups = [...Iterator.from(opened).map(groupOf), ...others];
  for (const { paths, devices: theirs, users: count } of groups) {
    for (const path of paths) {
      const before = users.get(path);
      if (before !== undefined || users.size < maxCountedPaths) {
        users.set(path, (before ?? 0) + count);
      }
    }
    for (const device of theirs) devices[device] += count;
  }
  const pages = Array.from(users, ([path, users]): CountedPage => ({ path, users }))
    .sort((a, b) => b.users - a.users || (a.path < b.path ? -1 : 1))
    .slice(0, maxTopPages);
  const listed = new Set(pages.map(({ path }) => path));
  const elsewhere = groups.filter(({ paths }) =>
    paths.length === 0 || paths.some((path) => !listed.has(path))
  );
  return { pages, elsewhere: usersIn(elsewhere), users: usersIn(groups), devices };
}

/** One user, once on each page and with each kind of device. */
function groupOf(pages: readonly Omit<OpenPage, "since">[]): OpenPages {
  return {
    paths: [...new Set(pages.map(({ path }) => path))],
    devices: [...new Set(pages.flatMap(({ device }) => device ?? []))],
    users: 1,
  };
}

function usersIn(groups: readonly OpenPages[]): number {
  return groups.reduce((sum, { users }) => sum + users, 0);
}

/** The least time between two events, in milliseconds. */
const everyMs = 1_000;

/**
 * Publishes which pages most users have open, at most once a second. It does nothing before the first
 * client reports its page, nor while no admin's page is open.
 */
export class TopPagesPublisher {
  readonly #core: Core;
  readonly #presence: ChannelPresence;
  readonly #clock: Clock;
  #isUsed = false;
  /** What was published last, as JSON; undefined when pages may know something else. */
  #published: string | undefined;
  readonly #throttle: Throttle;

  /** @param presence the users online. */
  constructor(
    core: Core,
    presence: ChannelPresence,
    log: (entry: LogEntry) => void,
    clock: Clock = systemClock,
  ) {
    this.#core = core;
    this.#presence = presence;
    this.#clock = clock;
    this.#throttle = new Throttle(clock, everyMs, {
      isWatched: () => core.ownApp.isOccupied(adminChannel),
      unwatched: () => this.#published = undefined,
      publish: () => this.#publish(),
      failed: (error) => log({ level: "error", message: "Pages could not be published", error }),
    });
  }

  /** The pages that most users have open now. */
  async current(): Promise<TopPages> {
    const others = await this.#remotePages();
    return { at: this.#clock.date(), ...this.#counted(others) };
  }

  /** A client reported another page. */
  pageChanged(): void {
    this.#isUsed = true;
    this.memberChanged();
  }

  /** A user joined or left, or opened or closed a page. */
  memberChanged(): void {
    // A user who joins reports a page a moment later: both are one event.
    if (this.#isUsed || this.#core.servers.areSeveral) this.#throttle.changed(everyMs);
  }

  /** Publishes nothing more. */
  stop(): void {
    this.#throttle.stop();
  }

  #counted(others?: readonly OpenPages[]): Omit<TopPages, "at"> {
    return topPages(this.#isUsed ? this.#presence.openPages() : [], others);
  }

  /** The pages that users of other servers have open; undefined where there are none. */
  #remotePages(): Promise<readonly OpenPages[]> | undefined {
    return this.#core.servers.areSeveral ? this.#presence.remotePages() : undefined;
  }

  #publish(): void | Promise<void> {
    return this.#remotePages()?.then((others) => this.#publishNews(others)) ?? this.#publishNews();
  }

  #publishNews(others?: readonly OpenPages[]): void {
    const counted = this.#counted(others);
    const text = JSON.stringify(counted);
    if (text === this.#published || this.#throttle.isStopped) return;
    const pages: TopPages = { at: this.#clock.date(), ...counted };
    this.#core.broadcastHere(adminChannel, "TopPagesChanged", pages);
    this.#published = text;
  }
}
