import type { Clock } from "../timing/clock.ts";
import type { OutboxEvents, OutboxStore } from "./outbox_events.ts";
import type { Batch } from "./batch.ts";

/** So many batches are written at once: SQLite writes while nothing else goes on. */
const maxTogether = 50;

/** A batch and the webhook that it waits for. */
export interface WaitingBatch {
  readonly batch: Batch;
  readonly appId: string;
  readonly webhook: string;
}

/** What {@link Outbox} works with. */
export interface OutboxOptions {
  store: OutboxStore;
  clock: Clock;
  /** What is not delivered in this time is written, in milliseconds; half of it is never written. */
  saveMs: number;
  /** Everything that waits now. */
  waiting: () => Iterable<WaitingBatch>;
  /** A write failed, the `inRow`th one after the other. It is tried again. */
  failed: (error: unknown, inRow: number) => void;
}

/**
 * Keeps the store in step with what waits. One write at a time, each with all that changed since the
 * one before, and none while what comes is delivered at once.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  /** Ids that the store has for nothing. */
  #obsolete: string[] = [];
  #cancel: (() => void) | undefined;
  #writing: Promise<void> | undefined;
  #failuresInRow = 0;
  #stopped = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Something waits that did not before. */
  accepted(): void {
    this.#schedule(this.#options.saveMs / 2);
  }

  #schedule(milliseconds: number): void {
    if (this.#cancel || this.#writing || this.#stopped) return;
    this.#cancel = this.#options.clock.after(milliseconds, () => this.#begin());
  }

  /** These do not wait any more. */
  done(batches: readonly Batch[]): void {
    this.forget(batches.filter(({ saved }) => saved).map(({ id }) => id));
  }

  /** The store need not have these any more. */
  forget(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.#obsolete.push(...ids);
    this.accepted();
  }

  #begin(): void {
    this.#cancel = undefined;
    const { clock, saveMs } = this.#options;
    const due = this.#unsaved(clock.now() - saveMs / 2);
    this.#writing = this.#write(due.slice(0, maxTogether), []).then((succeeded) => {
      this.#writing = undefined;
      if (succeeded && due.length > maxTogether) this.#schedule(0);
      else if (this.#obsolete.length > 0 || this.#unsaved().length > 0) this.accepted();
    });
  }

  /** False when it failed. */
  async #write(unsaved: WaitingBatch[], more: readonly OutboxEvents[]): Promise<boolean> {
    const obsolete = this.#obsolete.splice(0);
    const added = [...unsaved.map(recordOf), ...more];
    if (added.length === 0 && obsolete.length === 0) return true;
    for (const { batch } of unsaved) batch.saved = batch.sealed = true;
    try {
      await this.#options.store.write(added, obsolete);
      this.#failuresInRow = 0;
      return true;
    } catch (error) {
      for (const { batch } of unsaved) batch.saved = false;
      this.#obsolete.push(...obsolete);
      this.#options.failed(error, ++this.#failuresInRow);
      return false;
    }
  }

  /** What waits since a time, and is in no write. */
  #unsaved(latest = Infinity): WaitingBatch[] {
    const waiting = [...this.#options.waiting()];
    return waiting.filter(({ batch }) => !batch.saved && batch.since <= latest);
  }

  /** Writes all that waits, and more. Nothing is written from then on. */
  async stop(more: readonly OutboxEvents[]): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    this.#cancel = undefined;
    await this.#writing;
    await this.#write(this.#unsaved(), more);
  }
}

function recordOf({ batch, appId, webhook }: WaitingBatch): OutboxEvents {
  const { id, acceptedAt, text, events } = batch;
  return { id, appId, webhook, acceptedAt, events: text, count: events };
}
