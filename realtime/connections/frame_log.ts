import type { Frame } from "../protocol/frame.ts";

/** A frame that was sent to the subscribers of a channel, and the one after it. */
export interface LoggedFrame {
  readonly log: FrameLog;
  readonly frame: Frame;
  /** The socket id of a subscriber that does not get it. */
  readonly except: string | undefined;
  /** Whether it is a change of the members, which a list that is encoded later contains. */
  readonly isMembership: boolean;
  /** To how many subscribers it was sent. */
  readonly receivers: number;
  /** The bytes of all frames of the channel before it. */
  readonly start: number;
  next: LoggedFrame | undefined;
}

/** Whom a channel's frame is for. */
export type SendOptions = Partial<Pick<LoggedFrame, "except" | "isMembership">>;

type AppendOptions = SendOptions & Partial<Pick<LoggedFrame, "receivers">>;

/**
 * The frames of a channel, in order. A peer that is behind keeps the first frame that it has not been
 * sent, and through it those that follow. So a frame is in memory once, however many peers wait for
 * it, and is gone when the last of them has it.
 */
export class FrameLog {
  #last: LoggedFrame | undefined;
  #followers = 0;
  #bytes = 0;

  /** Adds a frame. Those who follow get it; it has to be sent to the others. */
  append(
    frame: Frame,
    { except, isMembership = false, receivers = Infinity }: AppendOptions = {},
  ): LoggedFrame {
    const start = this.#bytes;
    const entry = { log: this, frame, except, isMembership, receivers, start, next: undefined };
    this.#bytes += frame.bytes;
    if (this.#last) this.#last = this.#last.next = entry;
    return entry;
  }

  /** A peer waits for an entry, which must be the last one. */
  follow(entry: LoggedFrame): void {
    this.#followers++;
    this.#last = entry;
  }

  /** A peer waits no more. */
  unfollow(): void {
    if (--this.#followers === 0) this.#last = undefined;
  }

  /** The bytes of all frames so far. */
  get bytes(): number {
    return this.#bytes;
  }
}
