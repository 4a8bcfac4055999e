import type { Clock } from "../realtime/timing/clock.ts";
import type { PresenceCounts } from "../realtime/server.ts";
import { signOfLifeMs, type UsersCounted } from "../shared/wallboard.ts";

/** What the publisher works with. */
export interface WallboardPublisherOptions {
  /** How many are online now. */
  counts: () => PresenceCounts;
  /** Whether anybody listens to a channel. */
  isOccupied: (channel: string) => boolean;
  publish: (channel: string, counted: UsersCounted) => void;
  clock: Clock;
}

/** Between two events of a channel, in milliseconds: four a second. */
const pauseMs = 250;

/**
 * Tells wallboards how many are online: after every change, four times a second at most and the last
 * number always, and every ten seconds. While no wallboard listens it does nothing at all.
 */
export class WallboardPublisher {
  readonly #options: WallboardPublisherOptions;
  readonly #channels = new Set<string>();
  #toldAt = -Infinity;
  #dueAt = Infinity;
  #cancel = () => {};

  constructor(options: WallboardPublisherOptions) {
    this.#options = options;
  }

  /** A page has joined the channel of a wallboard, and waits for its number. */
  joined(channel: string): void {
    this.#channels.add(channel);
    this.changed();
  }

  /** Other numbers are true than before. */
  changed(): void {
    if (this.#channels.size > 0) this.#tellAt(this.#toldAt + pauseMs);
  }

  /** Tells at that time, unless it does so earlier. */
  #tellAt(time: number): void {
    if (this.#dueAt <= time) return;
    const { clock } = this.#options;
    this.#cancel();
    this.#dueAt = time;
    this.#cancel = clock.after(Math.max(0, time - clock.now()), () => this.#tell());
  }

  #tell(): void {
    const { clock, counts, isOccupied, publish } = this.#options;
    this.#dueAt = Infinity;
    for (const channel of this.#channels) {
      if (!isOccupied(channel)) this.#channels.delete(channel);
    }
    if (this.#channels.size === 0) return;
    const { users, connections } = counts();
    const counted = { users, connections, at: clock.date() };
    for (const channel of this.#channels) publish(channel, counted);
    this.#toldAt = clock.now();
    this.#tellAt(this.#toldAt + signOfLifeMs);
  }
}
