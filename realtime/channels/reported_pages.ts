import type { Connection, Subscription } from "../connections/connection.ts";
import type { ReportedActivity, ReportedPage } from "../protocol/incoming.ts";
import { type Clock, Deadlines } from "../timing/clock.ts";
import type { AppConfig } from "../app_config.ts";
import { isChannelName } from "../protocol/channel_names.ts";

/** The least time between two changes of what a connection reports, in milliseconds. */
const changeMs = 1_000;

/** A report that is not kept yet, as the one before it is too new. */
interface Waiting<Value> {
  value: Value;
  /** The report does not belong to a later subscription. */
  subscription: Subscription;
}

/**
 * Keeps one kind of what clients report with their subscriptions, so that it goes with them. Of the reports
 * within a second of a connection's last change, the last one of each channel is kept, when the second is over.
 */
export class Reports<Value> {
  /** Connections whose report changed within the last second. */
  readonly #recent: Deadlines<Connection>;
  readonly #waiting = new Map<Connection, Map<string, Waiting<Value>>>();
  readonly #keep: (subscription: Subscription, value: Value) => boolean;
  readonly #changed: (channel: string, userId: string) => void;

  /**
   * @param keep notes a report with a subscription, and returns whether it is another one than before.
   * @param changed is called when what a member of the channel reported is another one.
   */
  constructor(
    keep: (subscription: Subscription, value: Value) => boolean,
    changed: (channel: string, userId: string) => void,
    clock: Clock,
  ) {
    this.#keep = keep;
    this.#changed = changed;
    this.#recent = new Deadlines(changeMs, (connection) => this.#due(connection), clock);
  }

  /** The number of connections whose next change has to wait. */
  get size(): number {
    return this.#recent.size;
  }

  /** A connection that is a member of the channel reports. */
  report(connection: Connection, channel: string, value: Value): void {
    const subscription = connection.subscriptions.get(channel);
    if (subscription?.userId === undefined) return;
    const report = { value, subscription };
    if (this.#recent.remaining(connection) === undefined) {
      return this.#take(connection, channel, report);
    }
    const waiting = this.#waiting.get(connection);
    if (waiting) waiting.set(channel, report);
    else this.#waiting.set(connection, new Map([[channel, report]]));
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
    for (const [channel, report] of waiting ?? []) this.#take(connection, channel, report);
  }

  #take(connection: Connection, channel: string, { value, subscription }: Waiting<Value>): void {
    const { userId } = subscription;
    const isCurrent = connection.subscriptions.get(channel) === subscription;
    if (!isCurrent || userId === undefined || !this.#keep(subscription, value)) return;
    this.#recent.add(connection);
    this.#changed(channel, userId);
  }
}

/** The pages that clients report. */
export class ReportedPages extends Reports<ReportedPage> {
  constructor(changed: (channel: string, userId: string) => void, clock: Clock) {
    super(
      (subscription, page) => {
        const before = subscription.page;
        if (before?.path === page.path && before.device === page.device) return false;
        subscription.page = { ...page, since: clock.date() };
        return true;
      },
      changed,
      clock,
    );
  }
}

/** Whether tabs are used, as clients report it. */
export class ActivityReports extends Reports<ReportedActivity> {
  constructor(changed: (channel: string, userId: string) => void, clock: Clock) {
    super(
      (subscription, { state, seconds }) => {
        if (subscription.activity?.state === state) return false;
        const idleMs = state === "idle" ? seconds * 1_000 : 0;
        subscription.activity = { state, since: Math.round(clock.date() - idleMs) };
        return true;
      },
      changed,
      clock,
    );
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
