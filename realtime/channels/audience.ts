import type { Frame } from "../protocol/frame.ts";
import { FrameLog, type LoggedFrame, type SendOptions } from "../connections/frame_log.ts";
import type { LateList } from "../connections/send_queue.ts";

/** A connection, as a channel sees it; identity distinguishes two. */
export interface Subscriber {
  readonly id: string;
  send(frame: Frame): void;
  /** Sends the last frame of a channel's log, now or after those that wait. */
  sendLogged(entry: LoggedFrame): void;
  /** Sends a member list, now or after what waits, before what the channel sends from now on. */
  sendList(list: LateList): void;
  /** Drops the frames of a channel that wait. */
  unfollow(log: FrameLog): void;
}

/** Subscribers of a channel on this node that are sent the same frames in the same order. */
export class Audience<S extends Subscriber = Subscriber> {
  readonly log = new FrameLog();
  readonly #subscribers = new Set<S>();

  /** The number of subscribers. */
  get size(): number {
    return this.#subscribers.size;
  }

  [Symbol.iterator](): Iterator<S> {
    return this.#subscribers.values();
  }

  /** Adds a subscriber: it is sent every frame from now on. */
  add(subscriber: S): void {
    this.#subscribers.add(subscriber);
  }

  /** Removes a subscriber, and drops what waits for it. @returns whether it was one */
  delete(subscriber: S): boolean {
    const isDeleted = this.#subscribers.delete(subscriber);
    if (isDeleted) subscriber.unfollow(this.log);
    return isDeleted;
  }

  /** Whether it is one of them. */
  has(subscriber: S): boolean {
    return this.#subscribers.has(subscriber);
  }

  /**
   * Sends one subscriber a short frame, encoded when its turn comes: after its list, and dropped if it
   * leaves before.
   */
  sendLate(subscriber: S, encode: () => Frame): void {
    subscriber.sendList({ log: this.log, isShort: true, encode });
  }

  /** Sends a frame to all subscribers. */
  send(frame: Frame, options?: SendOptions): void {
    if (this.size === 0) return;
    const entry = this.log.append(frame, { ...options, receivers: this.size });
    for (const subscriber of this.#subscribers) subscriber.sendLogged(entry);
  }
}
