import type { Frame } from "../protocol/outgoing.ts";

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
 * sent, and through it the frames that follow. So a frame is in memory once, however many peers wait for
 * it, and is gone when the last of them has it.
 */
export class FrameLog {
  #last: LoggedFrame | undefined;
  #followers = 0;
  #bytes = 0;

  /** Adds a frame. Later peers get it; it has to be sent to the others. */
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

/** A member list or the number of members, encoded when its tick comes: as the channel is then. */
export interface LateList {
  readonly log: FrameLog;
  /** Whether it is as short as other frames: then it waits for no room for lists. */
  readonly isShort?: boolean;
  /** The channel may log changes meanwhile, which the list contains. */
  encode(): Frame;
}

/** A peer's place in the log of a channel. */
interface Place {
  /** The first frame that the peer has not been sent. */
  entry: LoggedFrame;
  /** Where in the log the peer's list was encoded: it has been sent the changes of members before. */
  listedAt: number;
}

/**
 * What waits to be handed to one socket: frames for it alone, and its places in the logs of channels.
 * A channel's frames keep their order and come after the list that answers the subscription.
 */
export class SendQueue {
  #items: (Frame | LateList | Place)[] = [];
  readonly #places = new Map<FrameLog, Place>();
  #ownBytes = 0;

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  /** The bytes of the frames that wait for this peer alone, without lists. */
  get ownBytes(): number {
    return this.#ownBytes;
  }

  /** The bytes of a channel's frames that wait for this peer and perhaps for others, by channel. */
  *sharedBytes(): Iterable<[FrameLog, number]> {
    for (const [log, { entry }] of this.#places) yield [log, log.bytes - entry.start];
  }

  /** The bytes of all frames that wait, without lists. */
  get bytes(): number {
    let bytes = this.#ownBytes;
    for (const [, shared] of this.sharedBytes()) bytes += shared;
    return bytes;
  }

  /** Adds a frame for this peer alone. */
  add(frame: Frame): void {
    this.#items.push(frame);
    this.#ownBytes += frame.bytes;
  }

  /** Adds the list of a channel. */
  addList(list: LateList): void {
    this.#items.push(list);
  }

  /** Adds the last frame of a log, and with it all that follow. */
  follow(entry: LoggedFrame): void {
    const { log } = entry;
    if (this.#places.has(log)) return;
    const place = { entry, listedAt: 0 };
    log.follow(entry);
    this.#places.set(log, place);
    this.#items.push(place);
  }

  /** Drops what waits of a channel. */
  unfollow(log: FrameLog): void {
    const place = this.#places.get(log);
    if (this.#places.delete(log)) log.unfollow();
    this.#items = this.#items.filter((item) =>
      item !== place && !("log" in item && item.log === log)
    );
  }

  /** Drops everything. */
  clear(): void {
    for (const log of this.#places.keys()) log.unfollow();
    this.#places.clear();
    this.#items = [];
  }

  /** Whether a list is next that needs room. */
  get isListNext(): boolean {
    const [item] = this.#items;
    return item !== undefined && "encode" in item && !item.isShort;
  }

  /**
   * Takes the next frame out; undefined when nothing is left.
   *
   * @param id of the peer, which does not get the frames that except it.
   */
  next(id: string): Frame | undefined {
    for (let item = this.#items[0]; item; item = this.#items[0]) {
      if ("entry" in item) {
        const { except, frame, isMembership, start } = this.#advance(item);
        if (except !== id && !(isMembership && start < item.listedAt)) return frame;
      } else {
        this.#items.shift();
        return "encode" in item ? this.#encode(item) : this.#takeOwn(item);
      }
    }
    return undefined;
  }

  #advance(place: Place): LoggedFrame {
    const { entry } = place;
    if (entry.next) place.entry = entry.next;
    else {
      this.#items.shift();
      this.#places.delete(entry.log);
      entry.log.unfollow();
    }
    return entry;
  }

  #encode({ log, encode }: LateList): Frame {
    const list = encode();
    const place = this.#places.get(log);
    if (place) place.listedAt = log.bytes;
    return list;
  }

  #takeOwn(frame: Frame): Frame {
    this.#ownBytes -= frame.bytes;
    return frame;
  }
}
