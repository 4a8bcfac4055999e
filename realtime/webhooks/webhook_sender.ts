import type { AppCredentials, AppSettings, Webhook } from "../app_config.ts";
import { signWebhook } from "../protocol/signature.ts";
import type { LogEntry } from "../options.ts";
import type { Outbox, StoredEvents } from "./outbox.ts";
import type { Batch, WebhookFailure, WebhookQueue } from "./webhook_queue.ts";
import type { DropReason } from "./webhooks.ts";
import { type DeliveriesOptions, webhookDigest } from "./webhook_options.ts";

/** An answer's body is read up to this length, so that its connection can be used again. */
const maxAnswerBytes = 65_536;

/**
 * Sends a webhook's body.
 *
 * @param headers what the webhook sends besides, with names in lower case.
 * @returns the HTTP status of the answer; rejects when there is none
 */
export type SendWebhook = (
  url: string,
  app: AppCredentials,
  body: string,
  signal: AbortSignal,
  headers?: Webhook["headers"],
) => Promise<number>;

/** The headers of a webhook, with the signature of the app, which its own do not replace. */
export function webhookHeaders(
  app: AppCredentials,
  body: string,
  headers: Webhook["headers"] = {},
): Record<string, string> {
  return {
    ...headers,
    "content-type": "application/json",
    "x-pusher-key": app.key,
    "x-pusher-signature": signWebhook(app, body),
  };
}

/** Posts the body, signed by the app. Follows no redirect, and ignores the body of the answer. */
export const postWebhook: SendWebhook = async (url, app, body, signal, headers) => {
  const response = await fetch(url, {
    method: "POST",
    headers: webhookHeaders(app, body, headers),
    body,
    redirect: "manual",
    signal,
  });
  await discard(response);
  return response.status;
};

/** Never rejects: a failure of the body does not change the status. */
async function discard({ body }: Response): Promise<void> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    let bytes = 0;
    while (bytes <= maxAnswerBytes) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.length;
    }
    await reader.cancel();
  } catch {
    // It ended early, or took longer than an answer may.
  }
}

/** Statuses of an overloaded receiver, or of a proxy whose receiver is not there. */
const unavailableStatuses = new Set([408, 429, 502, 503, 504]);

/** Batches are stored at once when the events that only memory has take more of their limit. */
const urgentShare = 0.5;

type Outcome = "delivered" | { failure: WebhookFailure; reason: string };

/**
 * Delivers events to one webhook, one request at a time. Adding an event never waits. The address and
 * the secret are looked up at each attempt, so that a change applies to events that wait.
 */
export class WebhookSender {
  readonly #outbox: Outbox;
  readonly #options: DeliveriesOptions;
  readonly #emptied: () => void;
  #sending: Promise<void> | undefined;
  #abort: (() => void) | undefined;
  #wake: (() => void) | undefined;
  #stopped = false;
  /** Reasons that were logged since the last delivery; they are not logged again. */
  readonly #logged = new Set<DropReason>();

  /**
   * @param digest identifies the webhook within its app.
   * @param emptied is called when no batch is left.
   */
  constructor(
    readonly appId: string,
    readonly digest: string,
    readonly queue: WebhookQueue,
    outbox: Outbox,
    options: DeliveriesOptions,
    emptied: () => void,
  ) {
    this.#outbox = outbox;
    this.#options = options;
    this.#emptied = emptied;
  }

  /**
   * Adds the JSON text of an event; counts it as dropped when there is no room.
   *
   * @param isPublic whether it is of a public channel.
   * @param secured called when it is delivered, dropped or in the store.
   */
  add(event: string, isPublic = false, secured?: () => void): void {
    const batches = this.queue.batches.length;
    if (!this.queue.add(event, this.#options.clock.now(), isPublic, secured)) {
      secured?.();
      return this.#refuse(1);
    }
    if (this.queue.batches.length === batches) return;
    this.#outbox.accepted(this.queue.unsavedShare > urgentShare);
    this.#schedule();
  }

  /** Restores saved events. @returns false when there is no room; then they are counted as dropped */
  restore(saved: StoredEvents & { events?: string }, ageMs: number): boolean {
    if (this.queue.restore(saved, this.#options.clock.now(), ageMs)) {
      if (!this.#wake) this.#schedule();
      return true;
    }
    this.#refuse(saved.count);
    return false;
  }

  #refuse(events: number): void {
    this.#drop("queueFull", events);
    if (this.queue.events === 0) this.#emptied();
  }

  #drop(reason: DropReason, events: number): void {
    this.#options.counts.drop(reason, events);
    if (this.#logged.has(reason)) return;
    this.#logged.add(reason);
    this.#warn("Webhook events dropped", { reason });
  }

  #schedule(): void {
    if (this.#sending || this.#stopped) return;
    this.#wake?.();
    this.#wake = undefined;
    const { wakeAt } = this.queue;
    if (wakeAt === undefined) return this.#emptied();
    const { clock } = this.#options;
    this.#wake = clock.after(Math.max(0, wakeAt - clock.now()), () => this.#work());
  }

  #work(): void {
    this.#wake = undefined;
    this.#giveUp("expired", this.queue.expire(this.#options.clock.now()));
    const batch = this.queue.next(this.#options.clock.now());
    if (batch) this.#sending = this.#deliver(batch);
    else this.#schedule();
  }

  #giveUp(reason: DropReason, batches: readonly Batch[]): void {
    if (batches.length === 0) return;
    this.#drop(reason, batches.reduce((sum, { events }) => sum + events, 0));
    this.#outbox.done(batches);
  }

  async #deliver(batch: Batch): Promise<void> {
    const problem = await this.#load(batch);
    const mayAttempt = !problem && batch.isLoaded && !this.#stopped;
    const outcome = mayAttempt ? await this.#attempt(batch) : problem;
    this.#sending = undefined;
    if (outcome === "delivered") this.#delivered(batch);
    else if (outcome && !this.#stopped) this.#failed(batch, outcome);
    this.#schedule();
  }

  /** Reads the events of a batch, and of some of the next, that are only in the store. @returns why that failed */
  async #load(batch: Batch): Promise<Outcome | undefined> {
    if (batch.isLoaded) return undefined;
    const unread = this.queue.unread(batch);
    try {
      const stored = await this.#options.store.read(unread.map(({ id }) => id));
      const events = new Map(stored.map((one) => [one.id, one.events]));
      for (const one of unread) one.load(events.get(one.id) ?? "");
    } catch {
      return { failure: "unavailable", reason: "its events could not be read" };
    }
    this.#giveUp("missing", this.queue.remove(unread.filter(({ isLoaded }) => !isLoaded)));
    return undefined;
  }

  #delivered(batch: Batch): void {
    if (this.queue.failuresInRow > 0) this.#log("info", "Webhook delivered again");
    this.#logged.clear();
    this.queue.delivered(batch);
    this.#options.counts.delivered += batch.events;
    this.#outbox.done([batch]);
  }

  #failed(batch: Batch, { failure, reason }: Exclude<Outcome, "delivered">): void {
    this.#options.counts.failedAttempts++;
    this.queue.failed(batch, failure, this.#options.clock.now());
    if (this.queue.failuresInRow === 1) this.#warn("Webhook not delivered", { reason });
  }

  /** @returns undefined when the webhook is no longer configured; then all its events were dropped */
  async #attempt(batch: Batch): Promise<Outcome | undefined> {
    const { appOf, clock, limits, send } = this.#options;
    const app = appOf(this.appId);
    const webhook = app && this.#webhookOf(app);
    if (!webhook) {
      this.#giveUp("notConfigured", this.queue.clear());
      return undefined;
    }
    const controller = new AbortController();
    this.#abort = () => controller.abort();
    let late = false;
    const cancel = clock.after(limits.answerMs, () => {
      late = true;
      controller.abort();
    });
    try {
      const { headers, url } = webhook;
      return outcomeOf(await send(url, app, batch.body, controller.signal, headers));
    } catch {
      // The error itself may contain the address, which may contain a secret.
      return { failure: "unavailable", reason: late ? "no answer in time" : "no answer" };
    } finally {
      cancel();
    }
  }

  #webhookOf(app: AppSettings): Webhook | undefined {
    return app.webhooks.find((webhook) => webhookDigest(webhook) === this.digest);
  }

  #warn(message: string, fields: Record<string, unknown> = {}): void {
    this.#log("warn", message, fields);
  }

  #log(level: LogEntry["level"], message: string, fields: Record<string, unknown> = {}): void {
    const app = this.#options.appOf(this.appId);
    const webhook = app && this.#webhookOf(app);
    const receiver = webhook && URL.parse(webhook.url)?.origin;
    this.#options.log({ level, message, app: this.appId, receiver, ...fields });
  }

  /** Stops sending and aborts the request that runs. The queue stays. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake?.();
    this.#wake = undefined;
    this.#abort?.();
    await this.#sending;
  }
}

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return "delivered";
  const failure = unavailableStatuses.has(status) ? "unavailable" : "refused";
  return { failure, reason: `status ${status}` };
}
