import { type AppSettings, isReserved } from "../app_config.ts";
import type { ServerEvent } from "../events/server_events.ts";
import { isOpenToAll } from "../protocol/channel_names.ts";
import {
  departuresOf,
  Outbox,
  outboxId,
  outboxTime,
  recordsOf,
  type StoredEvents,
  type WaitingBatch,
} from "./outbox.ts";
import { PendingDepartures } from "./pending_departures.ts";
import {
  type DeliveriesOptions,
  type EventPlace,
  receives,
  webhookDigest,
  webhookEvent,
} from "./webhook_options.ts";
import { WebhookQueue } from "./webhook_queue.ts";
import { WebhookSender } from "./webhook_sender.ts";

/** The deliveries to webhooks, from a start to a stop. */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #pending: PendingDepartures;
  readonly #senders = new Map<string, WebhookSender>();
  readonly #outbox: Outbox;
  #ids = 0;
  /** The time in the newest id of the store. */
  #newest = 0;
  /** Records of departures that are pending again; the store keeps them until they are not. */
  #departureIds: string[] = [];
  #cancelForgetting = () => {};
  #stopped = false;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#pending = new PendingDepartures(
      options,
      ({ departure, appId, ...logged }) => this.#send(departure, options.appOf(appId), logged),
    );
    this.#outbox = new Outbox(options, () => this.#waiting());
  }

  /** Whether {@link stop} was called. */
  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Loads the events in the store and delivers the ones that are not too old. */
  async start(): Promise<void> {
    const { clock, limits, store } = this.#options;
    const records = (await store.list()).toSorted((one, other) => one.id < other.id ? -1 : 1);
    const departures = records.filter(({ webhook }) => webhook === null).map(({ id }) => id);
    const pending = departures.length > 0 ? await store.read(departures) : [];
    if (this.#stopped) return;
    for (const record of records) this.#restore(record);
    const isKept = new Set(this.#departureIds);
    for (const record of pending.toSorted((one, other) => one.id < other.id ? -1 : 1)) {
      if (!isKept.has(record.id)) continue;
      for (const departure of departuresOf(record)) this.#pending.restore(departure);
    }
    if (this.#departureIds.length === 0) return;
    const forget = () => this.#outbox.forget(this.#departureIds.splice(0));
    this.#cancelForgetting = clock.after(limits.restartReturnMs, forget);
  }

  #restore(record: StoredEvents & { events?: string }): void {
    const { counts, date, limits } = this.#options;
    const ageMs = Math.max(0, date() - record.acceptedAt);
    const { id, appId, webhook } = record;
    this.#newest = Math.max(this.#newest, outboxTime(id));
    if (ageMs >= limits.keepMs) {
      counts.drop("expired", record.count);
      this.#outbox.forget([id]);
    } else if (webhook === null) this.#departureIds.push(id);
    else if (!this.#sender(appId, webhook).restore(record, ageMs)) this.#outbox.forget([id]);
  }

  /** See `Webhooks.take`. */
  take(event: ServerEvent, app: AppSettings, logged?: EventPlace): void {
    if (this.#stopped) return;
    if (app.webhooks.length === 0 || isReserved(app, event.channel)) return logged?.secured?.();
    const place = logged ?? { at: Math.floor(this.#options.date()) };
    if (this.#pending.passes(event, app.id, place)) this.#send(event, app, place);
  }

  /** See `Webhooks.hasRoom`. */
  get hasRoom(): boolean {
    for (const { queue } of this.#senders.values()) if (queue.unsavedShare >= 1) return false;
    return true;
  }

  #send(
    event: ServerEvent,
    app: AppSettings | undefined,
    { at, secured }: EventPlace,
  ): void {
    const webhooks = app?.webhooks.filter((webhook) => receives(webhook, event)) ?? [];
    if (!app || webhooks.length === 0) return secured?.();
    const isPublic = isOpenToAll(event.channel);
    const each = secured && afterCalls(webhooks.length, secured);
    for (const webhook of webhooks) {
      const text = webhookEvent(event, at, webhook.include);
      this.#sender(app.id, webhookDigest(webhook)).add(text, isPublic, each);
    }
  }

  #sender(appId: string, digest: string): WebhookSender {
    const key = senderKey(appId, digest);
    const existing = this.#senders.get(key);
    if (existing) return existing;
    const { limits, random } = this.#options;
    const queue = new WebhookQueue(limits, random, () => this.#begin());
    const emptied = () => this.#senders.delete(key);
    const sender = new WebhookSender(appId, digest, queue, this.#outbox, this.#options, emptied);
    this.#senders.set(key, sender);
    return sender;
  }

  #begin(): { id: string; acceptedAt: number } {
    const acceptedAt = Math.floor(this.#options.date());
    // The clock of the server that wrote the store may have been ahead.
    return { id: outboxId(Math.max(acceptedAt, this.#newest + 1), this.#ids++), acceptedAt };
  }

  *#waiting(): Iterable<WaitingBatch> {
    for (const { appId, digest, queue } of this.#senders.values()) {
      for (const batch of queue.batches) yield { batch, queue, appId, webhook: digest };
    }
  }

  /** See `Webhooks.pause`. */
  pause(): void {
    this.#pending.pause();
  }

  /** See `Webhooks.stop`. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#cancelForgetting();
    // The others are in a log, where a successor finds them.
    const pending = this.#pending.stop().filter(({ secured }) => !secured);
    await Promise.all([...this.#senders.values()].map((sender) => sender.stop()));
    this.#outbox.forget(this.#departureIds.splice(0));
    const partsOf = (appId: string) =>
      this.#options.appOf(appId)?.webhooks.flatMap(({ include = [] }) => include) ?? [];
    await this.#outbox.stop(recordsOf(pending, () => this.#begin(), partsOf));
  }

  /** What waits now; see `Webhooks.stats`. */
  stats() {
    const queues = [...this.#senders.values()].map(({ queue }) => queue);
    return {
      /** Webhooks for which events wait. */
      receivers: queues.length,
      /** Events that wait, and their bytes. */
      queuedEvents: queues.reduce((sum, { events }) => sum + events, 0),
      queuedBytes: queues.reduce((sum, { bytes }) => sum + bytes, 0),
      /** Departures whose clients may return. */
      pendingDepartures: this.#pending.size,
    };
  }
}

/** A function that calls back when it was called a number of times. */
function afterCalls(times: number, callback: () => void): () => void {
  let left = times;
  return () => {
    if (--left === 0) callback();
  };
}

/** A digest contains no space. */
function senderKey(appId: string, digest: string): string {
  return `${digest} ${appId}`;
}
