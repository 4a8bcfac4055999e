import type { ServerEvent } from "../events/server_events.ts";
import type { Frame } from "../protocol/frame.ts";
import { subscriptionCount } from "../protocol/outgoing.ts";
import type { Clock } from "../timing/clock.ts";
import { PacedCounts } from "./paced_counts.ts";

/** A channel of over 100 subscribers is sent its count at most once in this many milliseconds (Pusher: 5 s). */
const intervalMs = 5_000;

/** A channel, as the counts see it. */
interface Counted {
  readonly name: string;
  readonly subscribers: { readonly size: number };
  /** Over all nodes. */
  readonly subscribersEverywhere: number;
  /** Whether this node reports that number to the app. */
  readonly reportsSubscribers: boolean;
  send(frame: Frame): void;
}

/** What {@link SubscriptionCounts} are made with. */
export interface SubscriptionCountsOptions {
  /** Whether the app wants them now. */
  isEnabled: () => boolean;
  emit: (event: ServerEvent) => void;
  /** The subscribers of this node were sent the number. */
  sent?: (channel: string, frame: Frame) => void;
  clock: Clock;
}

/** Sends the subscribers of channels their number over all nodes, and reports it. */
export class SubscriptionCounts<C extends Counted> {
  readonly #options: SubscriptionCountsOptions;
  readonly #paced: PacedCounts<C>;

  constructor(options: SubscriptionCountsOptions) {
    this.#options = options;
    this.#paced = new PacedCounts<C>({
      intervalMs: () => intervalMs,
      receivers: ({ subscribers }) => subscribers.size,
      send: (channel) => this.#send(channel),
      clock: options.clock,
    });
  }

  /** The number of a channel changed. */
  changed(channel: C): void {
    if (this.#options.isEnabled()) this.#paced.changed(channel);
  }

  #send(channel: C): void {
    const { name, reportsSubscribers, subscribersEverywhere: count } = channel;
    const frame = subscriptionCount(name, count);
    channel.send(frame);
    this.#options.sent?.(name, frame);
    if (reportsSubscribers) {
      this.#options.emit({ name: "subscription_count", channel: name, count });
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
