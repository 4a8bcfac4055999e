import type { Batch, WebhookQueue } from "./webhook_queue.ts";
import { z } from "zod";
import type { WebhookPart } from "../app_config.ts";
import type { PendingDeparture } from "./pending_departures.ts";
import type { ChannelServerEvent } from "../events/server_events.ts";
import { memberOptions, memberOptionsKey } from "../protocol/member.ts";
import { type DeliveriesOptions, webhookEvent } from "./webhook_options.ts";

/** What is known of events that a store keeps until they are delivered. */
export interface StoredEvents {
  /** Ids sort in the order of the events. */
  readonly id: string;
  readonly appId: string;
  /** The digest of the webhook; null: departures whose clients may return, for all webhooks of the app. */
  readonly webhook: string | null;
  /** When the first of them was accepted, in milliseconds since 1970. */
  readonly acceptedAt: number;
  /** The number of events. */
  readonly count: number;
  /** The length of their JSON texts in UTF-8 bytes. */
  readonly bytes: number;
}

/** Events that a store keeps until they are delivered. */
export interface OutboxEvents extends Omit<StoredEvents, "bytes"> {
  /** JSON texts of events, separated by commas. */
  readonly events: string;
}

/** Keeps undelivered events when the process ends. Only one process at a time may use a store. */
export interface OutboxStore {
  /** All that is kept, in any order. */
  list(): Promise<StoredEvents[]>;
  /** The events with these ids that are kept, in any order. */
  read(ids: readonly string[]): Promise<OutboxEvents[]>;
  /**
   * Adds and removes in one transaction; rejects when it failed. Unknown ids are ignored.
   *
   * @returns false: nothing was done, as another process uses the store by now.
   */
  write(added: readonly OutboxEvents[], removedIds: readonly string[]): Promise<boolean>;
}

/**
 * Makes an id.
 *
 * @param at the date, in milliseconds since 1970.
 * @param number counts the ids of this process.
 */
export function outboxId(at: number, number: number): string {
  const [time, position] = [String(at).padStart(14, "0"), String(number).padStart(12, "0")];
  return `${time}-${position}-${crypto.randomUUID().slice(0, 8)}`;
}

/** The date in an id, in milliseconds since 1970; 0 for an id of another form. */
export function outboxTime(id: string): number {
  return Number(/^\d{14}(?=-)/.exec(id)?.[0] ?? 0);
}

/** Batches of one write: SQLite blocks the process while it writes. */
const maxPerWrite = 50;

/** The same for batches that are removed. */
const maxRemovedPerWrite = 200;

/** A batch that waits for its webhook. */
export interface WaitingBatch {
  readonly batch: Batch;
  readonly queue: WebhookQueue;
  readonly appId: string;
  /** The digest of the webhook. */
  readonly webhook: string;
}

/**
 * Keeps the store up to date with the batches that wait. It writes one transaction at a time, with all
 * changes since the previous batch, and nothing while batches are delivered quickly.
 */
export class Outbox {
  readonly #options: DeliveriesOptions;
  readonly #waiting: () => Iterable<WaitingBatch>;
  /** Ids to remove from the store. */
  #obsolete: string[] = [];
  #cancel: (() => void) | undefined;
  #writing: Promise<void> | undefined;
  #failuresInRow = 0;
  /** Whether the next write has also the batches that do not wait long yet. */
  #isUrgent = false;
  #stopped = false;

  /** @param waiting the batches that wait now. */
  constructor(options: DeliveriesOptions, waiting: () => Iterable<WaitingBatch>) {
    this.#options = options;
    this.#waiting = waiting;
  }

  /** A batch was added. @param isUrgent whether there is little room for more that are not written */
  accepted(isUrgent = false): void {
    // What is delivered within this time is never written.
    if (!isUrgent || this.#isUrgent) return this.#schedule(this.#options.limits.saveMs / 2);
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
    const { clock, limits: { saveMs } } = this.#options;
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
      this.#failed(error);
      return false;
    }
  }

  /** A write failed, and will be repeated. */
  #failed(error: unknown): void {
    const { counts, log } = this.#options;
    counts.failedSaves++;
    if (++this.#failuresInRow > 1) return;
    const reason = error instanceof Error ? error.message : String(error);
    log({ level: "error", message: "Undelivered webhooks not saved", reason });
  }

  /** The batches that wait since `latest` or earlier and are in no write. */
  #unsaved(latest = Infinity): WaitingBatch[] {
    const waiting = [...this.#waiting()];
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

/** Departures of one record. */
const maxPerRecord = 1_000;

/** Earlier releases wrote no time. */
const place = { channel: z.string(), time_ms: z.number().optional() };

/** Nor what only some webhooks ask for. */
const departures = z.array(z.union([
  z.object({ ...place, name: z.literal("channel_vacated") }),
  z.object({
    ...place,
    name: z.literal("member_removed"),
    user_id: z.string(),
    user_info: z.unknown().optional(),
    joined_at: z.number().optional(),
    [memberOptionsKey]: memberOptions,
  }),
]));

/**
 * The records of departures whose clients may return to the server's successor.
 *
 * @param partsOf what webhooks of an app ask for: more of its users is not stored.
 */
export function recordsOf(
  pending: readonly PendingDeparture[],
  begin: () => Pick<OutboxEvents, "id" | "acceptedAt">,
  partsOf: (appId: string) => readonly WebhookPart[] = () => [],
): OutboxEvents[] {
  const byApp = Map.groupBy(pending, ({ appId }) => appId);
  return [...byApp].flatMap(([appId, ofApp]) => {
    const parts = partsOf(appId);
    return chunks(ofApp).map((chunk) => ({
      ...begin(),
      appId,
      webhook: null,
      events: chunk.map(({ departure, at }) => webhookEvent(departure, at, parts)).join(","),
      count: chunk.length,
    }));
  });
}

function chunks(pending: readonly PendingDeparture[]): PendingDeparture[][] {
  const count = Math.ceil(pending.length / maxPerRecord);
  const starts = Array.from({ length: count }, (_, index) => index * maxPerRecord);
  return starts.map((start) => pending.slice(start, start + maxPerRecord));
}

/**
 * The departures of a record.
 *
 * @throws {Error} when it has other events.
 */
export function departuresOf({ acceptedAt, appId, events }: OutboxEvents): PendingDeparture[] {
  return departures.parse(JSON.parse(`[${events}]`)).map((event) => ({
    appId,
    departure: serverEventOf(event),
    at: event.time_ms ?? acceptedAt,
  }));
}

function serverEventOf(event: z.infer<typeof departures>[number]): ChannelServerEvent {
  const { name, channel } = event;
  if (name === "channel_vacated") return { name, channel };
  const { joined_at: joinedAt, user_id: userId, user_info: info } = event;
  // The users may have left by themselves; that they could not return is of the restart.
  const departure = { name, channel, userId, reason: "server_restart" as const };
  if (info === undefined) return departure;
  const stated = { id: userId, info: JSON.stringify(info), options: event[memberOptionsKey] };
  return { ...departure, member: { ...stated, joinedAt } };
}
