import { type Frame, publishedData } from "../protocol/outgoing.ts";
import { type Clock, Deadlines } from "../timing/clock.ts";

/** How long the last event of a cache channel is kept (Pusher: 30 minutes). */
export const cacheMs = 30 * 60_000;

/** The event that a cache channel keeps for new subscribers. */
export interface CachedEvent {
  /** As clients receive it. */
  data: string;
  /** The seconds until it expires, rounded up. */
  ttl: number;
}

/**
 * The last event of every cache channel of one app, whether the channel has subscribers or not. When
 * there is no room, the events that were published longest ago are dropped first.
 */
export class EventCache {
  readonly #frames = new Map<string, Frame>();
  readonly #expiry: Deadlines<string>;
  #bytes = 0;

  constructor(clock: Clock) {
    this.#expiry = new Deadlines(cacheMs, (channel) => this.#drop(channel), clock);
  }

  /** Keeps a channel's last event, unless it alone exceeds the limit. */
  put(channel: string, frame: Frame, maxBytes: number): void {
    this.#drop(channel);
    this.#frames.set(channel, frame);
    this.#bytes += frame.bytes;
    this.#expiry.add(channel);
    for (const oldest of this.#frames.keys()) {
      if (this.#bytes <= maxBytes) break;
      this.#drop(oldest);
    }
  }

  /** The frame of a channel's event. */
  get(channel: string): Frame | undefined {
    return this.#frames.get(channel);
  }

  /** A channel's event, as the HTTP API shows it. */
  event(channel: string): CachedEvent | undefined {
    const frame = this.#frames.get(channel);
    const ttl = Math.ceil((this.#expiry.remaining(channel) ?? 0) / 1_000);
    return frame && { data: publishedData(frame), ttl };
  }

  #drop(channel: string): void {
    const frame = this.#frames.get(channel);
    if (!frame) return;
    this.#frames.delete(channel);
    this.#bytes -= frame.bytes;
    this.#expiry.delete(channel);
  }

  /** The number of events. */
  get size(): number {
    return this.#frames.size;
  }

  /** The bytes of all events. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Drops every event. */
  clear(): void {
    this.#frames.clear();
    this.#bytes = 0;
    this.#expiry.stop();
  }
}
