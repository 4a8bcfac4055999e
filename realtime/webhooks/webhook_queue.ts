import type { StoredEvents } from "./outbox.ts";
import { byteLength } from "../protocol/outgoing.ts";
import type { WebhookLimits } from "./webhook_options.ts";

/** The events of one request to one webhook. */
export class Batch {
  /** JSON texts, each of one event or of several separated by commas; none while only the store has them. */
  #texts: string[] = [];
  #events = 0;
  #bytes = 0;
  #publicEvents = 0;
  #publicBytes = 0;
  #secured: (() => void)[] = [];
  attempts = 0;
  /** Whether no more events may be added: it was sent or saved. */
  sealed = false;
  /** Whether the store has it, or a write has begun. */
  saved = false;

  constructor(
    readonly id: string,
    /** When its first event was accepted, in milliseconds since 1970. */
    readonly acceptedAt: number,
    /** The same, by the clock; so are the times below. */
    readonly since: number,
    /** It is not sent before this time. */
    public notBefore: number,
    /** It is given up at this time. */
    readonly expiresAt: number,
  ) {}

  /** Restores a batch that was saved; its events stay in the store until they are sent, unless they are given. */
  static restored(
    saved: StoredEvents & { events?: string },
    since: number,
    now: number,
    expiresAt: number,
  ): Batch {
    const batch = new Batch(saved.id, saved.acceptedAt, since, now, expiresAt);
    batch.#events = saved.count;
    batch.#bytes = saved.bytes;
    if (saved.events !== undefined) batch.load(saved.events);
    batch.sealed = batch.saved = true;
    return batch;
  }

  /** Whether its events are in memory. */
  get isLoaded(): boolean {
    return this.#texts.length > 0;
  }

  /** Takes its events from the store. */
  load(events: string): void {
    this.#texts = events === "" ? [] : [events];
  }

  /** Leaves its events to the store. */
  unload(): void {
    this.#texts = [];
  }

  /**
   * Adds the JSON text of one event.
   *
   * @param isPublic whether it is of a public channel.
   * @param secured see {@link secured}.
   */
  add(event: string, bytes: number, isPublic: boolean, secured?: () => void): void {
    this.#texts.push(event);
    if (secured) this.#secured.push(secured);
    this.#events++;
    this.#bytes += bytes;
    if (!isPublic) return;
    this.#publicEvents++;
    this.#publicBytes += bytes;
  }

  /** The batch is delivered, given up or in the store: its events need not be taken again. */
  secured(): void {
    for (const call of this.#secured.splice(0)) call();
  }

  /** The number of events. */
  get events(): number {
    return this.#events;
  }

  /** The length of its events in UTF-8 bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The number of its events that are of public channels; 0 when it was restored. */
  get publicEvents(): number {
    return this.#publicEvents;
  }

  /** Their length in UTF-8 bytes. */
  get publicBytes(): number {
    return this.#publicBytes;
  }

  /** The JSON texts of its events, separated by commas; they have to be loaded. */
  get text(): string {
    return this.#texts.join(",");
  }

  /** The body of the request. */
  get body(): string {
    return `{"time_ms":${this.acceptedAt},"events":[${this.text}]}`;
  }
}

/** Why a request failed: the receiver refused it, or was not there to read it. */
export type WebhookFailure = "refused" | "unavailable";

/** Batches whose events are read from the store at once: the batches to be sent next. */
const readAtOnce = 16;

/** A number of events, and their bytes. */
interface Size {
  events: number;
  bytes: number;
}

/**
 * The events that wait for one webhook. Does no I/O: it takes events, outcomes and the time, and
 * returns what to send and when to ask again. Of events that are in the store, it keeps only the events to be
 * sent next.
 *
 * While the receiver is unavailable its first batch is retried, after waits that double, and the order
 * stays. Batches after one that it refuses are sent before the retry: an event that a receiver cannot
 * process does not delay the rest for minutes.
 */
export class WebhookQueue {
  #batches: Batch[] = [];
  /** Events that only memory has. */
  readonly #unsaved = new Set<Batch>();
  readonly #sizes = {
    all: { events: 0, bytes: 0 },
    ofPublic: { events: 0, bytes: 0 },
    unsaved: { events: 0, bytes: 0 },
    unsavedOfPublic: { events: 0, bytes: 0 },
  };
  #failuresInRow = 0;
  #pausedUntil = -Infinity;
  readonly #limits: WebhookLimits;
  readonly #random: () => number;
  readonly #begin: () => { id: string; acceptedAt: number };

  /**
   * @param random from 0 to 1, 1 excluded; spreads the waits before retries.
   * @param begin makes the id and the date of a new batch.
   */
  constructor(
    limits: WebhookLimits,
    random: () => number,
    begin: () => { id: string; acceptedAt: number },
  ) {
    this.#limits = limits;
    this.#random = random;
    this.#begin = begin;
  }

  /** The number of events. */
  get events(): number {
    return this.#sizes.all.events;
  }

  /** The length of all events in UTF-8 bytes. */
  get bytes(): number {
    return this.#sizes.all.bytes;
  }

  /** The batches, in order. */
  get batches(): readonly Batch[] {
    return this.#batches;
  }

  /** The number of requests that failed since the last one that did not. */
  get failuresInRow(): number {
    return this.#failuresInRow;
  }

  /**
   * Which part of its limit the events take that only memory has, in number or in bytes; from 1 on, no more
   * are to be read from a log.
   */
  get unsavedShare(): number {
    const { maxUnsavedEvents, maxUnsavedBytes } = this.#limits;
    const { events, bytes } = this.#sizes.unsaved;
    return Math.max(events / maxUnsavedEvents, bytes / maxUnsavedBytes);
  }

  /**
   * Adds the JSON text of an event to the last batch, or to a new one.
   *
   * @param isPublic whether it is of a public channel: those have only a share of the queue.
   * @param secured see {@link Batch.secured}. An event with it is in a log, and may exceed the limit of those
   * that only memory has.
   * @returns false: no room
   */
  add(event: string, now: number, isPublic = false, secured?: () => void): boolean {
    const size = { events: 1, bytes: byteLength(event) };
    if (!this.#hasRoomFor(size, isPublic, secured !== undefined)) return false;
    const batch = this.#openBatch(size.bytes, now);
    batch.add(event, size.bytes, isPublic, secured);
    const { all, ofPublic, unsaved, unsavedOfPublic } = this.#sizes;
    for (const one of isPublic ? [all, ofPublic, unsaved, unsavedOfPublic] : [all, unsaved]) {
      change(one, size, 1);
    }
    if (batch.events >= this.#limits.maxBatchEvents) batch.notBefore = now;
    return true;
  }

  #hasRoomFor(size: Size, isPublic: boolean, isLogged: boolean): boolean {
    const limits = this.#limits;
    const { all, ofPublic, unsaved, unsavedOfPublic } = this.#sizes;
    const most = { events: limits.maxQueuedEvents, bytes: limits.maxQueuedBytes };
    const mostUnsaved = { events: limits.maxUnsavedEvents, bytes: limits.maxUnsavedBytes };
    const share = limits.publicShare;
    return fits(all, size, most) && (isLogged || fits(unsaved, size, mostUnsaved)) &&
      (!isPublic || fits(ofPublic, size, most, share) &&
          (isLogged || fits(unsavedOfPublic, size, mostUnsaved, share)));
  }

  #openBatch(bytes: number, now: number): Batch {
    const { maxBatchEvents, maxBatchBytes, batchMs, keepMs } = this.#limits;
    const last = this.#batches.at(-1);
    const isOpen = last && !last.sealed && last.events < maxBatchEvents &&
      last.bytes + bytes <= maxBatchBytes;
    if (isOpen) return last;
    // Nothing more is added to it, even if it was sealed only to be saved; if it waited on, others would be sent first.
    if (last?.attempts === 0) last.notBefore = Math.min(last.notBefore, now);
    const { id, acceptedAt } = this.#begin();
    const batch = new Batch(id, acceptedAt, now, now + batchMs, now + keepMs);
    this.#batches.push(batch);
    this.#unsaved.add(batch);
    return batch;
  }

  /** Restores a batch that was accepted `ageMs` milliseconds ago. @returns false: no room */
  restore(saved: StoredEvents & { events?: string }, now: number, ageMs: number): boolean {
    const since = now - ageMs;
    const batch = Batch.restored(saved, since, now, since + this.#limits.keepMs);
    if (!this.#hasRoomFor(batch, false, true)) return false;
    this.#batches.push(batch);
    change(this.#sizes.all, batch, 1);
    return true;
  }

  /** The store has a batch by now. */
  stored(batch: Batch): void {
    if (!this.#unsaved.has(batch)) return;
    this.#leaveUnsaved(batch);
    batch.unload();
  }

  #leaveUnsaved(batch: Batch): void {
    if (!this.#unsaved.delete(batch)) return;
    change(this.#sizes.unsaved, batch, -1);
    change(this.#sizes.unsavedOfPublic, publicSizeOf(batch), -1);
  }

  /** The batches whose events are to be read from the store before one is sent: it, and some of the next. */
  unread(batch: Batch): Batch[] {
    if (this.#failuresInRow > 0) return [batch];
    const start = this.#batches.indexOf(batch);
    return this.#batches.slice(start, start + readAtOnce).filter((one) =>
      !one.isLoaded && (one === batch || one.attempts === 0)
    );
  }

  /** The batch to send now, if any. It stays in the queue until it is delivered or given up. */
  next(now: number): Batch | undefined {
    if (now < this.#pausedUntil) return undefined;
    const batch = this.#batches.find(({ notBefore }) => notBefore <= now);
    if (batch) batch.sealed = true;
    return batch;
  }

  /** When the next batch is due to be sent or given up, by the clock; undefined when none waits. */
  get wakeAt(): number | undefined {
    if (this.#batches.length === 0) return undefined;
    const earliest = this.#batches.reduce(
      (least, { notBefore }) => Math.min(least, notBefore),
      Infinity,
    );
    return Math.min(Math.max(this.#pausedUntil, earliest), this.#batches[0].expiresAt);
  }

  /** The receiver has the batch. */
  delivered(batch: Batch): void {
    this.#failuresInRow = 0;
    this.#pausedUntil = -Infinity;
    this.#removeAll((one) => one === batch);
  }

  /** The delivery of a batch failed: it is retried later. */
  failed(batch: Batch, failure: WebhookFailure, now: number): void {
    if (!this.#unsaved.has(batch)) batch.unload();
    batch.attempts++;
    this.#failuresInRow++;
    if (failure === "unavailable") {
      batch.notBefore = this.#pausedUntil = now + this.#wait(this.#failuresInRow);
    } else {
      batch.notBefore = now + this.#wait(batch.attempts);
      if (this.#failuresInRow > 1) this.#pausedUntil = now + this.#wait(this.#failuresInRow - 1);
    }
  }

  /** From half to all of a time that doubles with each failure, in milliseconds. */
  #wait(failures: number): number {
    const { firstRetryMs, lastRetryMs } = this.#limits;
    const longest = Math.min(lastRetryMs, firstRetryMs * 2 ** (failures - 1));
    return longest * (1 + this.#random()) / 2;
  }

  /** Gives up the batches that are too old; one that waits behind others that are delivered is not. @returns them */
  expire(now: number): Batch[] {
    return this.#removeAll(({ attempts, expiresAt }) =>
      expiresAt <= now && (attempts > 0 || this.#failuresInRow > 0)
    );
  }

  /** Gives up some batches. @returns them */
  remove(batches: readonly Batch[]): Batch[] {
    return this.#removeAll((batch) => batches.includes(batch));
  }

  /** Gives up every batch. @returns them */
  clear(): Batch[] {
    return this.#removeAll(() => true);
  }

  #removeAll(isMeant: (batch: Batch) => boolean): Batch[] {
    const gone = this.#batches.filter(isMeant);
    if (gone.length === 0) return gone;
    this.#batches = this.#batches.filter((batch) => !isMeant(batch));
    for (const batch of gone) {
      this.#leaveUnsaved(batch);
      change(this.#sizes.all, batch, -1);
      change(this.#sizes.ofPublic, publicSizeOf(batch), -1);
    }
    return gone;
  }
}

function fits(size: Size, more: Size, most: Size, share = 1): boolean {
  return size.events + more.events <= Math.ceil(share * most.events) &&
    size.bytes + more.bytes <= share * most.bytes;
}

function change(size: Size, by: Size, times: 1 | -1): void {
  size.events += times * by.events;
  size.bytes += times * by.bytes;
}

function publicSizeOf({ publicBytes: bytes, publicEvents: events }: Batch): Size {
  return { events, bytes };
}
