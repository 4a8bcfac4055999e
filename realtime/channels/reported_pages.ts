import type { Connection, Subscription } from "../connections/connection.ts";
import type { ReportedPage } from "../protocol/incoming.ts";
import { type Clock, Deadlines } from "../timing/clock.ts";
import type { AppConfig } from "../app_config.ts";
import { isChannelName } from "../protocol/channel_names.ts";

/** The least time between two changes of a connection's page, in milliseconds. */
const pageChangeMs = 1_000;

/** A page that is not shown yet, as the page before it is too new. */
interface Waiting {
  channel: string;
  page: ReportedPage;
  /** The page does not belong to a later subscription. */
  subscription: Subscription;
}

/**
 * Keeps the pages that clients report with their subscriptions, so that they go with them. Of the
 * reports within a second of a connection's last change, the last one is kept, when the second is over.
 */
export class ReportedPages {
  /** Connections whose page changed within the last second. */
  readonly #recent: Deadlines<Connection>;
  readonly #waiting = new Map<Connection, Waiting>();
  readonly #clock: Clock;
  readonly #changed: (channel: string) => void;

  /** @param changed is called when the page of a member of the channel is another one. */
  constructor(changed: (channel: string) => void, clock: Clock) {
    this.#changed = changed;
    this.#clock = clock;
    this.#recent = new Deadlines(pageChangeMs, (connection) => this.#due(connection), clock);
  }

  /** The number of connections whose next change has to wait. */
  get size(): number {
    return this.#recent.size;
  }

  /** A connection that is a member of the channel reports its page. */
  report(connection: Connection, channel: string, page: ReportedPage): void {
    const subscription = connection.subscriptions.get(channel);
    if (subscription?.userId === undefined) return;
    if (this.#recent.remaining(connection) === undefined) {
      this.#keep(connection, { channel, page, subscription });
    } else this.#waiting.set(connection, { channel, page, subscription });
  }

  /** A connection was released. */
  released(connection: Connection): void {
    this.#recent.delete(connection);
    this.#waiting.delete(connection);
  }

  /** Cancels the timer. */
  stop(): void {
    this.#recent.stop();
    this.#waiting.clear();
  }

  #due(connection: Connection): void {
    const waiting = this.#waiting.get(connection);
    this.#waiting.delete(connection);
    if (waiting) this.#keep(connection, waiting);
  }

  #keep(connection: Connection, { channel, page, subscription }: Waiting): void {
    if (connection.subscriptions.get(channel) !== subscription) return;
    const before = subscription.page;
    if (before?.path === page.path && before.device === page.device) return;
    const since = this.#clock.date();
    connection.subscriptions.set(channel, { ...subscription, page: { ...page, since } });
    this.#recent.add(connection);
    this.#changed(channel);
  }
}

/** The most patterns that an app may have. */
export const maxQuietChannels = 100;

/** Whether a text is a pattern of `quietChannels`, and can match a presence channel. */
export function isQuietPattern(text: string): boolean {
  const [start, end] = text.split("*");
  const isPresence = start.startsWith(prefix) || (end !== undefined && prefix.startsWith(start));
  return isPresence && isChannelName(text.replace("*", "x"));
}

const prefix = "presence-";

/** Whether an app's rule makes the members of a channel quiet. */
export function isQuietChannel(
  { quietChannels = [] }: AppConfig,
  channel: string,
): boolean {
  return quietChannels.some((pattern) => isMatch(pattern, channel));
}

/** @param pattern a text in which `*`, at most once, stands for any characters. */
function isMatch(pattern: string, text: string): boolean {
  const [start, end] = pattern.split("*");
  if (end === undefined) return text === pattern;
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
}
