import type { Clock } from "../timing/clock.ts";
import type { OutboxEvents, OutboxStore } from "./outbox_events.ts";
import type { Batch } from "./batch.ts";
import type { WebhookQueue } from "./webhook_queue.ts";

/** Batches of one write: SQLite blocks the process while it writes. */
const maxPerWrite = 50;

/** The same for batches that are removed. */
const maxRemovedPerWrite = 200;

/** A batch that waits for its webhook. */
export interface WaitingBatch {
  readonly batch: Batch;
  readonly queue: Pick<WebhookQueue, "stored">;
  readonly appId: string;
  /** The digest of the webhook. */
  readonly webhook: string;
}

/** What {@link Outbox} needs. */
export interface OutboxOptions {
  store: OutboxStore;
  clock: Clock;
  /**
   * A batch that waits this long is written, in milliseconds; one that is delivered within half of it
   * is not.
   */
  saveMs: number;
  /** The batches that wait now. */
  waiting: () => Iterable<WaitingBatch>;
  /** A write failed and will be repeated. @param inRow how many failed one after the other */
  failed: (error: unknown, inRow: number) => void;
}

/**
 * Keeps the store up to date with the batches that wait. It writes one transaction at a time, with all
 * changes since the one before, and nothing while batches are delivered quickly.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  /** Ids to remove from the store. */
  #obsolete: string[] = [];
  #cancel: (() => void) | undefined;
  #writing: Promise<void> | undefined;
  #failuresInRow = 0;
  /** Whether the next write has also the batches that do not wait long yet. */
  #isUrgent = false;
  #stopped = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** A batch was added. @param isUrgent whether there is little room for more that are not written */
  accepted(isUrgent = false): void {
    if (!isUrgent || this.#isUrgent) return this.#schedule(this.#options.saveMs / 2);
    this.#isUrgent = true;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#schedule(0);
  }

  #schedule(milliseconds: number): void {
    if (this.#cancel || this.#writing || this.#stopped) return;
    this.#cancel = this.#options.clock.after(milliseconds, () => this.#begin());
  }

  /** Batches were delivered or given up. */
  done(batches: readonly Batch[]): void {
    this.forget(batches.filter(({ saved }) => saved).map(({ id }) => id));
    for (const batch of batches) batch.secured();
  }

  /** Removes records from the store, soon. */
  forget(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.#obsolete.push(...ids);
    this.accepted();
  }

  #begin(): void {
    this.#cancel = undefined;
    const { clock, saveMs } = this.#options;
    const due = this.#unsaved(this.#isUrgent ? Infinity : clock.now() - saveMs / 2);
    const obsolete = this.#obsolete.splice(0, maxRemovedPerWrite);
    const hasMore = due.length > maxPerWrite || this.#obsolete.length > 0;
    if (!hasMore) this.#isUrgent = false;
    this.#writing = this.#write(due.slice(0, maxPerWrite), obsolete).then((succeeded) => {
      this.#writing = undefined;
      if (succeeded && hasMore) this.#schedule(0);
      else if (this.#obsolete.length > 0 || this.#unsaved().length > 0) this.accepted();
    });
  }

  /** @returns whether it succeeded */
  async #write(
    unsaved: WaitingBatch[],
    obsolete: readonly string[],
    more: readonly OutboxEvents[] = [],
  ): Promise<boolean> {
    const added = [...unsaved.map(recordOf), ...more];
    if (added.length === 0 && obsolete.length === 0) return true;
    for (const { batch } of unsaved) batch.saved = batch.sealed = true;
    try {
      const isDone = await this.#options.store.write(added, obsolete);
      this.#failuresInRow = 0;
      for (const { batch, queue } of unsaved) {
        if (!isDone) batch.saved = false;
        else {
          queue.stored(batch);
          batch.secured();
        }
      }
      return isDone;
    } catch (error) {
      for (const { batch } of unsaved) batch.saved = false;
      this.#obsolete.push(...obsolete);
      this.#options.failed(error, ++this.#failuresInRow);
      return false;
    }
  }

  /** The batches that wait since `latest` or earlier and are in no write. */
  #unsaved(latest = Infinity): WaitingBatch[] {
    const waiting = [...this.#options.waiting()];
    return waiting.filter(({ batch }) => !batch.saved && batch.since <= latest);
  }

  /** Writes all batches that wait, and more. Nothing is written after that. */
  async stop(more: readonly OutboxEvents[]): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    this.#cancel = undefined;
    await this.#writing;
    await this.#write(this.#unsaved(), this.#obsolete.splice(0), more);
  }
}

function recordOf({ batch, appId, webhook }: WaitingBatch): OutboxEvents {
  const { id, acceptedAt, text, events } = batch;
  return { id, appId, webhook, acceptedAt, events: text, count: events };
}
