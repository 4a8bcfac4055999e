import { type Clock } from "../timing/clock.ts";
import { Deadlines } from "../timing/deadlines.ts";
import type { Frame } from "../protocol/frame.ts";

/** How long the last event of a cache channel is kept. */
export const cacheMs = 30 * 60_000;

/**
 * The last event of every cache channel of one app, whether anybody is there or not. When there is no
 * room, what was published longest ago is forgotten first.
 */
export class EventCache {
  readonly #frames = new Map<string, Frame>();
  readonly #expiry: Deadlines<string>;
  #bytes = 0;

  constructor(clock: Clock) {
    this.#expiry = new Deadlines(cacheMs, (channel) => this.#forget(channel), clock);
  }

  /** Keeps a channel's last event, unless it alone is over the limit. */
  put(channel: string, frame: Frame, maxBytes: number): void {
    this.#forget(channel);
    this.#frames.set(channel, frame);
    this.#bytes += frame.bytes;
    this.#expiry.add(channel);
    for (const oldest of this.#frames.keys()) {
      if (this.#bytes <= maxBytes) break;
      this.#forget(oldest);
    }
  }

  get(channel: string): Frame | undefined {
    return this.#frames.get(channel);
  }

  /** For how many milliseconds a channel's event is still kept; 0 if there is none. */
  keptFor(channel: string): number {
    return this.#expiry.remaining(channel) ?? 0;
  }

  #forget(channel: string): void {
    const frame = this.#frames.get(channel);
    if (!frame) return;
    this.#frames.delete(channel);
    this.#bytes -= frame.bytes;
    this.#expiry.delete(channel);
  }

  get size(): number {
    return this.#frames.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Forgets everything. */
  clear(): void {
    this.#frames.clear();
    this.#bytes = 0;
    this.#expiry.stop();
  }
}
