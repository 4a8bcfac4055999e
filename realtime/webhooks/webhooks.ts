import { type AppSettings, withDefaults } from "../app_config.ts";
import type { ServerEvent } from "../events/server_events.ts";
import { systemClock } from "../timing/clock.ts";
import { Deliveries } from "./deliveries.ts";
import {
  defaultWebhookLimits,
  type DeliveriesOptions,
  type EventPlace,
  type WebhooksOptions,
} from "./webhook_options.ts";
import { postWebhook } from "./webhook_sender.ts";

export type { OutboxEvents, OutboxStore, StoredEvents } from "./outbox.ts";
export type { WebhookLimits, WebhooksOptions } from "./webhook_options.ts";

/** Why an event was not delivered. */
export type DropReason =
  /** The queue of its webhook was full. */
  | "queueFull"
  /** It could not be delivered in time, or the server was down for too long. */
  | "expired"
  /** Its webhook or its app is no longer configured. */
  | "notConfigured"
  /** The store lost it. */
  | "missing";

/** Counts the outcomes of webhooks since the start. */
export class WebhookCounts {
  /** Events whose receiver answered with a 2xx status. */
  delivered = 0;
  /** Requests that were answered with another status, or not answered. */
  failedAttempts = 0;
  /** Writes to the store that failed; they are repeated. */
  failedSaves = 0;
  readonly #dropped: Record<DropReason, number> = {
    queueFull: 0,
    expired: 0,
    notConfigured: 0,
    missing: 0,
  };

  /** Counts events that are lost. */
  drop(reason: DropReason, events: number): void {
    this.#dropped[reason] += events;
  }

  /** Events that are lost, by reason. */
  get dropped(): Record<DropReason, number> {
    return { ...this.#dropped };
  }
}

/**
 * Sends the events of apps to their webhooks.
 *
 * Taking an event never waits: events are collected for 50 ms and sent in their order, one request at a time to
 * each webhook. A request that is not answered with a 2xx status is repeated for five minutes, so a receiver may
 * get an event more than once. A million events can wait for a webhook; further ones are dropped and counted.
 * Waiting events are in the store; memory holds only those to be sent next, and those that are not stored yet.
 *
 * An event that is not delivered within a second is written to the store; one that is delivered
 * within half a second is not. A SIGKILL or a crash loses at most the events of the last second, and
 * the departures that it caused itself are never sent. {@link Webhooks.stop} loses nothing: clients
 * have twenty seconds from the next {@link Webhooks.start} to return to their channels, and then the
 * departures of users who did not return are sent.
 *
 * Where several servers share a store, one of them sends: from its start to its stop, and then perhaps again.
 * Events that come from a log are never lost; see {@link Webhooks.take}.
 */
export class Webhooks {
  readonly #options: DeliveriesOptions;
  readonly #counts = new WebhookCounts();
  #deliveries: Deliveries;

  constructor(given: WebhooksOptions) {
    const options = withDefaults(defaults, given);
    const limits = withDefaults(defaultWebhookLimits, options.limits);
    this.#options = { ...options, limits, counts: this.#counts };
    this.#deliveries = new Deliveries(this.#options);
  }

  /** Loads the events in the store and delivers the ones that are not too old; also after a stop. */
  async start(): Promise<void> {
    if (this.#deliveries.isStopped) this.#deliveries = new Deliveries(this.#options);
    await this.#deliveries.start();
  }

  /**
   * Takes an event of an app and sends it to the app's webhooks that receive it.
   *
   * @param logged for an event of a log. Others happen now.
   */
  take(event: ServerEvent, app: AppSettings, logged?: EventPlace): void {
    this.#deliveries.take(event, app, logged);
  }

  /**
   * Whether there is room for events of a log. While there is none, the log is not to be read on: it keeps
   * its events until the store has more of those before.
   */
  get hasRoom(): boolean {
    return this.#deliveries.hasRoom;
  }

  /**
   * The server is about to close its connections: the departures that this causes stay pending, because
   * their clients may return to its successor.
   */
  pause(): void {
    this.#deliveries.pause();
  }

  /**
   * Stops: takes no more events, aborts the requests that run, and resolves when the store has every
   * undelivered event. Logs a failure of the store; never rejects.
   */
  async stop(): Promise<void> {
    await this.#deliveries.stop();
  }

  /** The number of entries in memory, and the outcomes since the start. */
  stats() {
    const { delivered, failedAttempts, failedSaves, dropped } = this.#counts;
    return {
      ...this.#deliveries.stats(),
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

const defaults = {
  presenceGraceMs: 0,
  limits: {},
  log: () => {},
  clock: systemClock,
  date: Date.now,
  random: Math.random,
  send: postWebhook,
};
