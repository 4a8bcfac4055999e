import { type AppSettings, isReserved, type Webhook } from "../app_config.ts";
import { withDefaults } from "../defaults.ts";
import type { ServerEvent } from "../events/server_events.ts";
import type { LogEntry } from "../options.ts";
import { isOpenToAll } from "../protocol/channel_names.ts";
import { type Clock, systemClock } from "../timing/clock.ts";
import { Outbox, type WaitingBatch } from "./outbox.ts";
import { departuresOf, recordsOf } from "./outbox_departures.ts";
import { type OutboxEvents, outboxId, type OutboxStore } from "./outbox_events.ts";
import { PendingDepartures } from "./pending_departures.ts";
import { WebhookCounts } from "./webhook_counts.ts";
import { type OwnWebhookEvent, receives, webhookDigest, webhookEvent } from "./webhook_events.ts";
import { defaultWebhookLimits, type WebhookLimits } from "./webhook_options.ts";
import { postWebhook, type SendWebhook } from "./webhook_request.ts";
import { WebhookSender, type WebhookSenderOptions } from "./webhook_sender.ts";

export type { OutboxEvents, OutboxStore } from "./outbox_events.ts";
export type { DropReason } from "./webhook_counts.ts";
export type { OwnWebhookEvent } from "./webhook_events.ts";
export type { WebhookLimits } from "./webhook_options.ts";

/** The options of webhooks; all but the store and the apps have a default. */
export interface WebhooksOptions {
  store: OutboxStore;
  /** The app of an id as it is now, if it is served. */
  appOf: (id: string) => AppSettings | undefined;
  /**
   * All webhooks of an app as they are now: those of its settings, and those that only
   * {@link Webhooks.send} names. Default: those of its settings.
   */
  webhooksOf?: (app: AppSettings) => readonly Webhook[];
  /** The leave grace of the server, in milliseconds. Default 0. */
  presenceGraceMs?: number;
  limits?: Partial<WebhookLimits>;
  log?: (entry: LogEntry) => void;
  clock?: Clock;
  /** Milliseconds since 1970. */
  date?: () => number;
  /** From 0 to 1, 1 excluded. */
  random?: () => number;
  send?: SendWebhook;
}

/**
 * Sends the events of apps to their webhooks.
 *
 * Taking an event never waits: events are collected for 50 ms and sent in their order, one request at
 * a time to each webhook. A request that is not answered with a 2xx status is repeated for five
 * minutes, so a receiver may get an event more than once. Events that find the queue of their webhook
 * full are dropped and counted.
 *
 * An event that is not delivered within a second is written to the store; one that is delivered
 * within half a second is not. A SIGKILL or a crash loses at most the events of the last second, and
 * the departures that it caused itself are never sent. {@link Webhooks.stop} loses nothing: clients
 * have twenty seconds from the next {@link Webhooks.start} to return to their channels, and then the
 * departures of those that did not return are sent.
 */
export class Webhooks {
  readonly #options: Required<WebhooksOptions>;
  readonly #limits: WebhookLimits;
  readonly #pending: PendingDepartures;
  readonly #senders = new Map<string, WebhookSender>();
  readonly #senderOptions: WebhookSenderOptions;
  readonly #counts = new WebhookCounts();
  readonly #outbox: Outbox;
  #ids = 0;
  /** Records of departures that are pending again; the store keeps them until they are not. */
  #departureIds: string[] = [];
  #cancelForgetting = () => {};
  #stopped = false;

  constructor(given: WebhooksOptions) {
    const options = this.#options = withDefaults(defaults, given);
    const { appOf, clock, log, presenceGraceMs, random, send, store, webhooksOf } = options;
    const limits = this.#limits = withDefaults(defaultWebhookLimits, options.limits);
    this.#pending = new PendingDepartures({
      returnMs: limits.returnMs,
      restartReturnMs: limits.restartReturnMs,
      presenceGraceMs,
      max: limits.maxPendingDepartures,
      report: ({ departure, appId }) => this.#send(departure, appOf(appId)),
      clock,
    });
    const outbox = this.#outbox = new Outbox({
      store,
      clock,
      saveMs: limits.saveMs,
      waiting: () => this.#waiting(),
      failed: (error, inRow) => this.#saveFailed(error, inRow),
    });
    this.#senderOptions = {
      ...{ appOf, clock, counts: this.#counts, limits, log, random, send, webhooksOf },
      begin: () => this.#begin(),
      accepted: () => outbox.accepted(),
      done: (batches) => outbox.done(batches),
      emptied: ({ appId, digest }) => this.#senders.delete(senderKey(appId, digest)),
    };
  }

  /** Loads the events in the store and delivers those that are not too old. */
  async start(): Promise<void> {
    const { store, clock } = this.#options;
    const records = (await store.load()).toSorted((one, other) => one.id < other.id ? -1 : 1);
    for (const record of records) this.#restore(record);
    if (this.#departureIds.length === 0) return;
    const forget = () => this.#outbox.forget(this.#departureIds.splice(0));
    this.#cancelForgetting = clock.after(this.#limits.restartReturnMs, forget);
  }

  #restore(record: OutboxEvents): void {
    const ageMs = Math.max(0, this.#options.date() - record.acceptedAt);
    const { id, appId, webhook } = record;
    if (ageMs >= this.#limits.keepMs) {
      this.#counts.drop("expired", record.count);
      this.#outbox.forget([id]);
    } else if (webhook === null) {
      for (const departure of departuresOf(record)) this.#pending.restore(departure);
      this.#departureIds.push(id);
    } else if (!this.#sender(appId, webhook).restore(record, ageMs)) this.#outbox.forget([id]);
  }

  /** Takes an event of an app and sends it to those of its webhooks that receive it. */
  take(event: ServerEvent, app: AppSettings): void {
    if (app.webhooks.length === 0 || this.#stopped || isReserved(app, event.channel)) return;
    if (this.#pending.passes(event, app.id)) this.#send(event, app);
  }

  /**
   * Sends an event of this server's own to one webhook of an app, with the same promises. The event is
   * dropped if `webhooksOf` does not name the webhook at the time of an attempt.
   */
  send(event: OwnWebhookEvent, appId: string, webhook: Webhook): void {
    if (!this.#stopped) this.#sender(appId, webhookDigest(webhook)).add(JSON.stringify(event));
  }

  #send(event: ServerEvent, app: AppSettings | undefined): void {
    const webhooks = app?.webhooks.filter((webhook) => receives(webhook, event)) ?? [];
    if (!app || webhooks.length === 0) return;
    const text = webhookEvent(event);
    const isPublic = isOpenToAll(event.channel);
    for (const webhook of webhooks) {
      this.#sender(app.id, webhookDigest(webhook)).add(text, isPublic);
    }
  }

  #sender(appId: string, digest: string): WebhookSender {
    const key = senderKey(appId, digest);
    const existing = this.#senders.get(key);
    if (existing) return existing;
    const sender = new WebhookSender(appId, digest, this.#senderOptions);
    this.#senders.set(key, sender);
    return sender;
  }

  #begin(): { id: string; acceptedAt: number } {
    const acceptedAt = Math.floor(this.#options.date());
    return { id: outboxId(acceptedAt, this.#ids++), acceptedAt };
  }

  *#waiting(): Iterable<WaitingBatch> {
    for (const { appId, digest, queue } of this.#senders.values()) {
      for (const batch of queue.batches) yield { batch, appId, webhook: digest };
    }
  }

  #saveFailed(error: unknown, inRow: number): void {
    this.#counts.failedSaves++;
    if (inRow > 1) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.log({ level: "error", message: "Undelivered webhooks not saved", reason });
  }

  /**
   * The server is about to close its connections: the departures that this causes stay pending, because
   * their clients may return to its successor.
   */
  hold(): void {
    this.#pending.hold();
  }

  /**
   * Stops: takes no more events, aborts the requests that run, and resolves when the store has every
   * undelivered event. Logs a failure of the store; never rejects.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelForgetting();
    const pending = this.#pending.stop();
    await Promise.all([...this.#senders.values()].map((sender) => sender.stop()));
    this.#outbox.forget(this.#departureIds.splice(0));
    await this.#outbox.stop(recordsOf(pending, () => this.#begin()));
  }

  /** The number of entries in memory, and the outcomes since the start. */
  stats() {
    const queues = [...this.#senders.values()].map(({ queue }) => queue);
    const { delivered, failedAttempts, failedSaves, dropped } = this.#counts;
    return {
      /** Webhooks for which events wait. */
      receivers: queues.length,
      /** Events that wait, and their bytes. */
      queuedEvents: queues.reduce((sum, { events }) => sum + events, 0),
      queuedBytes: queues.reduce((sum, { bytes }) => sum + bytes, 0),
      /** Departures whose clients may return. */
      pendingDepartures: this.#pending.size,
      /** Events whose receiver answered with a 2xx status. */
      delivered,
      failedAttempts,
      failedSaves,
      /** Events that are lost, by reason. */
      dropped,
    };
  }
}

/** See {@link Webhooks.stats}. */
export type WebhookStats = ReturnType<Webhooks["stats"]>;

/** A digest contains no space. */
function senderKey(appId: string, digest: string): string {
  return `${digest} ${appId}`;
}

const defaults = {
  webhooksOf: ({ webhooks }: AppSettings) => webhooks,
  presenceGraceMs: 0,
  limits: {},
  log: () => {},
  clock: systemClock,
  date: Date.now,
  random: Math.random,
  send: postWebhook,
};
