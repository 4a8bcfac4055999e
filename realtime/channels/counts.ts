import type { Clock } from "../timing/clock.ts";
import type { ServerEvent } from "../events/server_events.ts";
import { type Frame, subscriptionCount } from "../protocol/outgoing.ts";

/** Up to this many subscribers or members, every change is sent at once. */
export const maxImmediate = 100;

/** What is sent to whom. */
interface PacedCountsOptions<C> {
  /** A larger channel is sent its count at most once in this many milliseconds. */
  intervalMs(channel: C): number;
  /** The number of subscribers that are sent the count. */
  receivers(channel: C): number;
  /** What makes a channel large; default: the receivers. */
  size?(channel: C): number;
  send(channel: C): void;
  clock: Clock;
}

/** Some time after a count was sent, in which no other is. */
interface Interval {
  /** Whether the count changed in it. */
  isChanged: boolean;
  cancel(): void;
}

/**
 * Decides when subscribers of channels are sent a count: at once in small channels, in intervals in
 * large ones. The last value is always sent.
 */
export class PacedCounts<C> {
  readonly #intervals = new Map<C, Interval>();
  readonly #options: PacedCountsOptions<C>;

  constructor(options: PacedCountsOptions<C>) {
    this.#options = options;
  }

  /** The count of a channel changed. */
  changed(channel: C): void {
    const { receivers, send, size = receivers } = this.#options;
    const isReceived = receivers(channel) > 0;
    const interval = this.#intervals.get(channel);
    if (!isReceived || size(channel) <= maxImmediate) {
      this.delete(channel);
      if (isReceived) send(channel);
    } else if (interval) interval.isChanged = true;
    else this.#sendAndWait(channel);
  }

  #sendAndWait(channel: C): void {
    const { clock, intervalMs, send } = this.#options;
    const cancel = clock.after(intervalMs(channel), () => {
      const isChanged = this.#intervals.get(channel)?.isChanged;
      this.#intervals.delete(channel);
      if (isChanged) this.#sendAndWait(channel);
    });
    this.#intervals.set(channel, { isChanged: false, cancel });
    send(channel);
  }

  /** Ends the interval of a channel; nothing is sent. */
  delete(channel: C): void {
    this.#intervals.get(channel)?.cancel();
    this.#intervals.delete(channel);
  }

  /** The number of channels within their interval. */
  get size(): number {
    return this.#intervals.size;
  }

  /** Ends every interval; nothing is sent. */
  stop(): void {
    for (const { cancel } of this.#intervals.values()) cancel();
    this.#intervals.clear();
  }
}

/** A channel of over 100 members is sent its count at most once in this many milliseconds. */
const leastIntervalMs = 1_000;

/** Connections that a channel's count is sent to each second: at 8 µs of CPU each, a sixth of a core. */
const mostPerSecond = 20_000;

/** A presence channel, as the counts see it. */
interface MemberCountedChannel {
  readonly quiet: { readonly size: number; sendCount(): void };
  readonly members: { readonly size: number };
}

/** Decides when a presence channel's quiet subscribers are sent the number of members. */
export function memberCounts<C extends MemberCountedChannel>(clock: Clock): PacedCounts<C> {
  return new PacedCounts({
    intervalMs: ({ quiet }) => Math.max(leastIntervalMs, quiet.size / mostPerSecond * 1_000),
    receivers: ({ quiet }) => quiet.size,
    size: ({ members, quiet }) => Math.max(members.size, quiet.size),
    send: ({ quiet }) => quiet.sendCount(),
    clock,
  });
}

/** A channel of over 100 subscribers is sent its count at most once in this many milliseconds (Pusher: 5 s). */
const subscriptionIntervalMs = 5_000;

/** A channel, as the counts see it. */
interface SubscriberCountedChannel {
  readonly name: string;
  readonly subscribers: { readonly size: number };
  /** Over all nodes. */
  readonly subscribersEverywhere: number;
  /** Whether this node reports that number to the app. */
  readonly reportsSubscribers: boolean;
  send(frame: Frame): void;
}

/** Sends the subscribers of channels their number over all nodes, and reports it. */
export class SubscriptionCounts<C extends SubscriberCountedChannel> {
  readonly #isEnabled: () => boolean;
  readonly #emit: (event: ServerEvent) => void;
  readonly #sent: (channel: string, frame: Frame) => void;
  readonly #paced: PacedCounts<C>;

  /**
   * @param isEnabled whether the app wants them now.
   * @param sent the subscribers of this node were sent the number.
   */
  constructor(
    clock: Clock,
    isEnabled: () => boolean,
    emit: (event: ServerEvent) => void,
    sent: (channel: string, frame: Frame) => void = () => {},
  ) {
    this.#isEnabled = isEnabled;
    this.#emit = emit;
    this.#sent = sent;
    this.#paced = new PacedCounts<C>({
      intervalMs: () => subscriptionIntervalMs,
      receivers: ({ subscribers }) => subscribers.size,
      send: (channel) => this.#send(channel),
      clock,
    });
  }

  /** The number of a channel changed. */
  changed(channel: C): void {
    if (this.#isEnabled()) this.#paced.changed(channel);
  }

  #send(channel: C): void {
    const { name, reportsSubscribers, subscribers, subscribersEverywhere: count } = channel;
    // From before the latest subscriber of this node: the count that includes it follows.
    if (count < subscribers.size) return;
    const frame = subscriptionCount(name, count);
    channel.send(frame);
    this.#sent(name, frame);
    if (reportsSubscribers) {
      this.#emit({ name: "subscription_count", channel: name, count });
    }
  }

  /** The number of channels within their interval. */
  get size(): number {
    return this.#paced.size;
  }

  /** Ends every interval; nothing is sent. */
  stop(): void {
    this.#paced.stop();
  }
}
