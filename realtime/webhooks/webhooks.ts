import type { AppSettings } from "../app_config.ts";
import { PendingDepartures } from "./pending_departures.ts";
import { type Clock, systemClock } from "../timing/clock.ts";
import { withDefaults } from "../defaults.ts";
import type { ServerEvent } from "../events/server_events.ts";
import type { LogEntry } from "../options.ts";
import { departuresOf, recordsOf } from "./outbox_departures.ts";
import { type OutboxEvents, outboxId, type OutboxStore } from "./outbox_events.ts";
import { Outbox, type WaitingBatch } from "./outbox.ts";
import type { OwnWebhookEvent, Webhook } from "./webhook.ts";
import { WebhookCounts } from "./webhook_counts.ts";
import { wants, webhookDigest, webhookEvent } from "./webhook_events.ts";
import { defaultWebhookLimits, type WebhookLimits } from "./webhook_options.ts";
import { WebhookSender, type WebhookSenderOptions } from "./webhook_sender.ts";
import { postWebhook, type SendWebhook } from "./webhook_request.ts";

export type { OutboxEvents, OutboxStore } from "./outbox_events.ts";
export type { DropReason } from "./webhook_counts.ts";
export type { WebhookLimits } from "./webhook_options.ts";

/** How webhooks behave; the store and the apps have no default. */
export interface WebhooksOptions {
  store: OutboxStore;
  /** The app of an id as it is now, if it is served. */
  appOf: (id: string) => AppSettings | undefined;
  /**
   * All webhooks of an app as they are now: its own, and those that are told by {@link Webhooks.tell}
   * alone. Its own.
   */
  webhooksOf?: (app: AppSettings) => readonly Webhook[];
  /** How long the server waits before it tells of departures from presence channels. 0. */
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
 * Tells the webhooks of the apps what happens in them.
 *
 * Taking an occurrence never waits: what happens is gathered, for 50 ms, and sent in the order in
 * which it happened, one request at a time to each webhook. What is not answered with a 2xx status is
 * sent again for five minutes, so a receiver may get an event more than once. Events that find no
 * room in the queue of their webhook are dropped and counted.
 *
 * What is not delivered within a second is written to the store; what is delivered within half a
 * second never is. After a SIGKILL or a crash all is delivered but what was accepted in the last
 * second; that channels were vacated and members
 * removed by the crash itself is told nobody. After {@link Webhooks.stop} nothing is missing: clients
 * have three seconds from the next {@link Webhooks.start} to come back to their channels, and of
 * those that do not the departures are told.
 */
export class Webhooks {
  readonly #options: Required<WebhooksOptions>;
  readonly #limits: WebhookLimits;
  readonly #awaited: PendingDepartures;
  readonly #receivers = new Map<string, WebhookSender>();
  readonly #receiverOptions: WebhookSenderOptions;
  readonly #counts = new WebhookCounts();
  readonly #ledger: Outbox;
  #ids = 0;
  /** Records of departures that are awaited again; the store keeps them until that is over. */
  #departureIds: string[] = [];
  #cancelForgetting = () => {};
  #stopped = false;

  constructor(given: WebhooksOptions) {
    const options = this.#options = withDefaults(defaults, given);
    const { appOf, clock, log, presenceGraceMs, random, send, store, webhooksOf } = options;
    const limits = this.#limits = withDefaults(defaultWebhookLimits, options.limits);
    this.#awaited = new PendingDepartures({
      returnMs: limits.returnMs,
      presenceGraceMs,
      most: limits.maxAwaited,
      over: ({ departure, appId }) => this.#tell(departure, appOf(appId)),
      clock,
    });
    const ledger = this.#ledger = new Outbox({
      store,
      clock,
      saveMs: limits.saveMs,
      waiting: () => this.#waiting(),
      failed: (error, inRow) => this.#saveFailed(error, inRow),
    });
    this.#receiverOptions = {
      ...{ appOf, clock, counts: this.#counts, limits, log, random, send, webhooksOf },
      begin: () => this.#begin(),
      accepted: () => ledger.accepted(),
      done: (batches) => ledger.done(batches),
      emptied: ({ appId, digest }) => this.#receivers.delete(receiverKey(appId, digest)),
    };
  }

  /** Takes back what the store has and tries again to deliver it, unless it is too old. */
  async start(): Promise<void> {
    const { store, clock } = this.#options;
    const records = (await store.load()).toSorted((one, other) => one.id < other.id ? -1 : 1);
    for (const record of records) this.#takeBack(record);
    if (this.#departureIds.length === 0) return;
    const forget = () => this.#ledger.forget(this.#departureIds.splice(0));
    this.#cancelForgetting = clock.after(this.#limits.returnMs, forget);
  }

  #takeBack(record: OutboxEvents): void {
    const ageMs = Math.max(0, this.#options.date() - record.acceptedAt);
    const { id, appId, webhook } = record;
    if (ageMs >= this.#limits.keepMs) {
      this.#counts.drop("expired", record.count);
      this.#ledger.forget([id]);
    } else if (webhook === null) {
      for (const awaited of departuresOf(record)) this.#awaited.await(awaited);
      this.#departureIds.push(id);
    } else if (!this.#receiver(appId, webhook).restore(record, ageMs)) this.#ledger.forget([id]);
  }

  /** Takes in what happened in an app. */
  take(occurrence: ServerEvent, app: AppSettings): void {
    if (app.webhooks.length === 0 || this.#stopped) return;
    if (this.#awaited.passes(occurrence, app.id)) this.#tell(occurrence, app);
  }

  /**
   * Tells one webhook of an app something of this server's own, with the same promises. It is dropped
   * when `webhooksOf` does not name the webhook at the time of an attempt.
   */
  tell(event: OwnWebhookEvent, appId: string, webhook: Webhook): void {
    if (!this.#stopped) this.#receiver(appId, webhookDigest(webhook)).add(JSON.stringify(event));
  }

  #tell(occurrence: ServerEvent, app: AppSettings | undefined): void {
    const webhooks = app?.webhooks.filter((webhook) => wants(webhook, occurrence)) ?? [];
    if (!app || webhooks.length === 0) return;
    const event = webhookEvent(occurrence);
    for (const webhook of webhooks) this.#receiver(app.id, webhookDigest(webhook)).add(event);
  }

  #receiver(appId: string, digest: string): WebhookSender {
    const key = receiverKey(appId, digest);
    const existing = this.#receivers.get(key);
    if (existing) return existing;
    const receiver = new WebhookSender(appId, digest, this.#receiverOptions);
    this.#receivers.set(key, receiver);
    return receiver;
  }

  #begin(): { id: string; acceptedAt: number } {
    const acceptedAt = Math.floor(this.#options.date());
    return { id: outboxId(acceptedAt, this.#ids++), acceptedAt };
  }

  *#waiting(): Iterable<WaitingBatch> {
    for (const { appId, digest, queue } of this.#receivers.values()) {
      for (const batch of queue.batches) yield { batch, appId, webhook: digest };
    }
  }

  #saveFailed(error: unknown, inRow: number): void {
    this.#counts.failedSaves++;
    if (inRow > 1) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.log({ level: "error", message: "Undelivered webhooks cannot be saved", reason });
  }

  /**
   * The server is about to close its connections: the departures of this wait for the return of their
   * clients to its successor.
   */
  hold(): void {
    this.#awaited.hold();
  }

  /**
   * Stops: takes nothing more, gives up requests under way, and resolves when the store has all that
   * was not delivered. Logs it when the store fails.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelForgetting();
    const awaited = this.#awaited.stop();
    await Promise.all([...this.#receivers.values()].map((receiver) => receiver.stop()));
    this.#ledger.forget(this.#departureIds.splice(0));
    await this.#ledger.stop(recordsOf(awaited, () => this.#begin()));
  }

  /** How much is kept, and what became of the rest since the start. */
  stats() {
    const queues = [...this.#receivers.values()].map(({ queue }) => queue);
    const { delivered, failedAttempts, failedSaves, dropped } = this.#counts;
    return {
      /** Webhooks for which something waits. */
      receivers: queues.length,
      /** Events that wait, and their bytes. */
      queuedEvents: queues.reduce((sum, { events }) => sum + events, 0),
      queuedBytes: queues.reduce((sum, { bytes }) => sum + bytes, 0),
      /** Departures whose clients may come back. */
      pendingDepartures: this.#awaited.size,
      /** Events that receivers took. */
      delivered,
      failedAttempts,
      failedSaves,
      /** Events that are lost, by reason. */
      dropped,
    };
  }
}

/** What webhooks have done and hold. */
export type WebhookStats = ReturnType<Webhooks["stats"]>;

/** A digest has no space. */
function receiverKey(appId: string, digest: string): string {
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
