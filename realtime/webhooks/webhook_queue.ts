import { byteLength } from "../protocol/frame.ts";
import type { OutboxEvents } from "./outbox_events.ts";
import { Batch } from "./batch.ts";
import type { WebhookLimits } from "./webhook_options.ts";

/** Why a request failed: the receiver refused it, or was not there to read it. */
export type WebhookFailure = "refused" | "unavailable";

/** What {@link WebhookQueue} needs. */
export interface WebhookQueueOptions {
  limits: WebhookLimits;
  /** From 0 to 1, 1 excluded; spreads the waits before retries. */
  random: () => number;
  /** The id and the date of a new batch. */
  begin: () => { id: string; acceptedAt: number };
}

/**
 * The events that wait for one webhook. Does no I/O: it takes events, outcomes and the time, and
 * returns what to send and when to ask again.
 *
 * While the receiver is unavailable its first batch is retried, after waits that double, and the order
 * stays. Batches after one that it refuses are sent before the retry: an event that a receiver cannot
 * process does not delay the rest for minutes.
 */
export class WebhookQueue {
  #batches: Batch[] = [];
  #events = 0;
  #bytes = 0;
  #publicEvents = 0;
  #publicBytes = 0;
  #failuresInRow = 0;
  #pausedUntil = -Infinity;
  readonly #options: WebhookQueueOptions;

  constructor(options: WebhookQueueOptions) {
    this.#options = options;
  }

  /** The number of events. */
  get events(): number {
    return this.#events;
  }

  /** The length of all events in UTF-8 bytes. */
  get bytes(): number {
    return this.#bytes;
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
   * Adds the JSON text of an event to the last batch, or to a new one.
   *
   * @param isPublic whether it is of a public channel: those have only a share of the queue.
   * @param secured see {@link Batch.secured}.
   * @returns false: no room
   */
  add(event: string, now: number, isPublic = false, secured?: () => void): boolean {
    const bytes = byteLength(event);
    if (!this.#hasRoomFor(1, bytes) || isPublic && !this.#hasPublicRoomFor(bytes)) return false;
    const batch = this.#openBatch(bytes, now);
    batch.add(event, bytes, isPublic, secured);
    if (isPublic) {
      this.#publicEvents++;
      this.#publicBytes += bytes;
    }
    if (batch.events >= this.#options.limits.maxBatchEvents) batch.notBefore = now;
    this.#events++;
    this.#bytes += bytes;
    return true;
  }

  #hasRoomFor(events: number, bytes: number): boolean {
    const { maxQueuedEvents, maxQueuedBytes } = this.#options.limits;
    return this.#events + events <= maxQueuedEvents && this.#bytes + bytes <= maxQueuedBytes;
  }

  #hasPublicRoomFor(bytes: number): boolean {
    const { maxQueuedEvents, maxQueuedBytes, publicShare } = this.#options.limits;
    return this.#publicEvents < publicShare * maxQueuedEvents &&
      this.#publicBytes + bytes <= publicShare * maxQueuedBytes;
  }

  #openBatch(bytes: number, now: number): Batch {
    const { maxBatchEvents, maxBatchBytes, batchMs, keepMs } = this.#options.limits;
    const last = this.#batches.at(-1);
    if (last && !last.sealed) {
      if (last.events < maxBatchEvents && last.bytes + bytes <= maxBatchBytes) return last;
      last.notBefore = now;
    }
    const { id, acceptedAt } = this.#options.begin();
    const batch = new Batch(id, acceptedAt, now, now + batchMs, now + keepMs);
    this.#batches.push(batch);
    return batch;
  }

  /** Restores a batch that was accepted `ageMs` milliseconds ago. @returns false: no room */
  restore(saved: OutboxEvents, now: number, ageMs: number): boolean {
    const since = now - ageMs;
    const batch = Batch.restored(saved, since, now, since + this.#options.limits.keepMs);
    if (!this.#hasRoomFor(batch.events, batch.bytes)) return false;
    this.#batches.push(batch);
    this.#events += batch.events;
    this.#bytes += batch.bytes;
    return true;
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
    const { firstRetryMs, lastRetryMs } = this.#options.limits;
    const longest = Math.min(lastRetryMs, firstRetryMs * 2 ** (failures - 1));
    return longest * (1 + this.#options.random()) / 2;
  }

  /** Gives up the batches that are too old. @returns them */
  expire(now: number): Batch[] {
    return this.#removeAll(({ expiresAt }) => expiresAt <= now);
  }

  /** Gives up every batch. @returns them */
  clear(): Batch[] {
    return this.#removeAll(() => true);
  }

  #removeAll(isMeant: (batch: Batch) => boolean): Batch[] {
    const gone = this.#batches.filter(isMeant);
    if (gone.length === 0) return gone;
    this.#batches = this.#batches.filter((batch) => !isMeant(batch));
    for (const { events, bytes, publicEvents, publicBytes } of gone) {
      this.#events -= events;
      this.#bytes -= bytes;
      this.#publicEvents -= publicEvents;
      this.#publicBytes -= publicBytes;
    }
    return gone;
  }
}
