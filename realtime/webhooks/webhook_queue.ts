import { byteLength } from "../protocol/frame.ts";
import type { OutboxEvents } from "./outbox_events.ts";
import { Batch } from "./batch.ts";
import type { WebhookLimits } from "./webhook_options.ts";

/** Why a request failed: the receiver read it and said no, or it was not there to read anything. */
export type WebhookFailure = "refused" | "unavailable";

/** What {@link WebhookQueue} works with. */
export interface WebhookQueueOptions {
  limits: WebhookLimits;
  /** From 0 to 1, 1 excluded: by it the waits before retries differ. */
  random: () => number;
  /** The id and the date of a new batch. */
  begin: () => { id: string; acceptedAt: number };
}

/**
 * What waits for one webhook. Does no I/O: it takes events, outcomes and the time, and says what to
 * send and when to ask again.
 *
 * Events stay in order. While the receiver is unavailable its first batch is retried, after waits
 * that double, and the others stay behind it. A batch that it refuses is overtaken by those after it:
 * one event that a receiver cannot digest does not hold up the rest for minutes.
 */
export class WebhookQueue {
  #batches: Batch[] = [];
  #events = 0;
  #bytes = 0;
  #failuresInRow = 0;
  #pausedUntil = -Infinity;
  readonly #options: WebhookQueueOptions;

  constructor(options: WebhookQueueOptions) {
    this.#options = options;
  }

  get events(): number {
    return this.#events;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get batches(): readonly Batch[] {
    return this.#batches;
  }

  /** How many requests failed since the last that did not. */
  get failuresInRow(): number {
    return this.#failuresInRow;
  }

  /** Adds the JSON text of an event to the last batch, or to a new one. False: there is no room. */
  add(event: string, now: number): boolean {
    const bytes = byteLength(event);
    if (!this.#hasRoomFor(1, bytes)) return false;
    const batch = this.#openBatch(bytes, now);
    batch.add(event, bytes);
    if (batch.events >= this.#options.limits.maxBatchEvents) batch.notBefore = now;
    this.#events++;
    this.#bytes += bytes;
    return true;
  }

  #hasRoomFor(events: number, bytes: number): boolean {
    const { maxQueuedEvents, maxQueuedBytes } = this.#options.limits;
    return this.#events + events <= maxQueuedEvents && this.#bytes + bytes <= maxQueuedBytes;
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

  /** Takes back what was saved so many milliseconds after its acceptance. False: there is no room. */
  restore(saved: OutboxEvents, now: number, ageMs: number): boolean {
    const since = now - ageMs;
    const batch = Batch.restored(saved, since, now, since + this.#options.limits.keepMs);
    if (!this.#hasRoomFor(batch.events, batch.bytes)) return false;
    this.#batches.push(batch);
    this.#events += batch.events;
    this.#bytes += batch.bytes;
    return true;
  }

  /** What to send now, if anything. It stays in the queue until it is delivered or given up. */
  next(now: number): Batch | undefined {
    if (now < this.#pausedUntil) return undefined;
    const batch = this.#batches.find(({ notBefore }) => notBefore <= now);
    if (batch) batch.sealed = true;
    return batch;
  }

  /** When there will be something to send or to give up. */
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

  /** The receiver does not have the batch. */
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

  /** From half to all of a time that doubles with each failure. */
  #wait(failures: number): number {
    const { firstRetryMs, lastRetryMs } = this.#options.limits;
    const longest = Math.min(lastRetryMs, firstRetryMs * 2 ** (failures - 1));
    return longest * (1 + this.#options.random()) / 2;
  }

  /** Gives up what is too old; the answer is that. */
  expire(now: number): Batch[] {
    return this.#removeAll(({ expiresAt }) => expiresAt <= now);
  }

  /** Gives up everything; the answer is that. */
  clear(): Batch[] {
    return this.#removeAll(() => true);
  }

  #removeAll(isMeant: (batch: Batch) => boolean): Batch[] {
    const gone = this.#batches.filter(isMeant);
    if (gone.length === 0) return gone;
    this.#batches = this.#batches.filter((batch) => !isMeant(batch));
    for (const { events, bytes } of gone) {
      this.#events -= events;
      this.#bytes -= bytes;
    }
    return gone;
  }
}
