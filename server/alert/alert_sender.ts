import type { Kysely } from "kysely";
import type { AppCredentials } from "@/realtime/app_config.ts";
import type { LogEntry } from "@/realtime/server.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import { userWithEmail } from "../accounts/users.ts";
import type { Database } from "../database/database.ts";
import type { LeaderTerm } from "../database/leader_term.ts";
import type { Tables } from "../database/schema.ts";
import {
  afterAttempt,
  type AlertDelivery,
  beginningOf,
  countWaiting,
  giveUpOldest,
  mostWaiting,
  nextDeliveries,
  storeAttempt,
} from "./alert_deliveries.ts";
import { inLanguageOf } from "../language/languages.ts";
import { alertMail } from "../mail/mail_texts.ts";
import type { Mailer } from "../mail/mailer.ts";
import { type AlertMessage, textOf, viewPathOf } from "./alert_message.ts";
import { answerMs, reasonOf, type SendRequest, shownAnswer } from "./alert_webhook.ts";
import { type Outcome, outcomeOf, requestOf } from "./receiver_kinds.ts";
import {
  type AlertReceiver,
  type EnteredReceiver,
  listReceivers,
  partsOf,
  secretsOf,
} from "./stored_receivers.ts";
import { keyText } from "@/shared/long_text.ts";

/** After how long a database that failed is asked again, in ms. */
const databaseRetryMs = 5_000;

/** The longest that a timer waits, in ms: a date can be set back. */
const longestTimerMs = 60_000;

/** What an attempt at a receiver needs. */
export interface AlertTransport {
  send: SendRequest;
  /** The app whose secret signs webhooks. */
  app: () => AppCredentials;
  /**
   * Sends emails, whose links begin with the public address, in the languages of the accounts that the database has;
   * absent: no mail server is set.
   */
  mail?: { mailer: Mailer; appUrl: URL; database: Database };
  clock?: Clock;
}

/** Why no email can be sent. */
export const noMailerText = keyText(
  "No mail server is set. Emails need SMTP_URL and MAIL_FROM.",
);

/** A message on its way: the id is the same at each attempt. */
interface SentMessage {
  id: string;
  message: AlertMessage;
  /** The address of an email. */
  to?: string;
  /** The id of the email that this one ends. */
  answers?: string;
}

/** What came of an attempt, for admins. */
export interface Attempt {
  outcome: Outcome;
  /** Undefined where there was no answer. */
  status?: number;
  milliseconds: number;
  /** What is shown of the answer. */
  beginning: string;
}

/** Sends a message to a receiver once. Never rejects. @param stopped aborts it */
export async function attempt(
  { kind, settings, ...receiver }: EnteredReceiver,
  sent: SentMessage,
  transport: AlertTransport,
  stopped?: AbortSignal,
): Promise<Attempt> {
  if (kind === "email") return await attemptEmail(sent, transport, stopped);
  const { id, message } = sent;
  const { send, app, clock = systemClock } = transport;
  const secrets = secretsOf({ ...receiver, kind, settings });
  const timeout = new AbortController();
  const cancel = clock.after(answerMs, () => timeout.abort());
  const start = clock.now();
  const took = () => Math.round(clock.now() - start);
  try {
    const request = requestOf(kind, settings, { id, message, app: app() }, clock.date());
    const signal = stopped ? AbortSignal.any([timeout.signal, stopped]) : timeout.signal;
    const answer = await send(request, signal);
    const beginning = shownAnswer(answer.text, secrets);
    const outcome = outcomeOf(kind, answer, clock.date());
    const { status } = answer;
    if (outcome.state === "delivered") return { outcome, status, milliseconds: took(), beginning };
    const reason = shownAnswer(outcome.reason, secrets);
    return { outcome: { ...outcome, reason }, status, milliseconds: took(), beginning };
  } catch (error) {
    const reason = shownAnswer(reasonOf(error, timeout.signal), secrets);
    const outcome: Outcome = { state: "failed", reason, isTemporary: true };
    return { outcome, milliseconds: took(), beginning: "" };
  } finally {
    cancel();
  }
}

/** The mailer limits how long an attempt takes, and how many there are in a minute. */
async function attemptEmail(
  { id, message, to = "", answers }: SentMessage,
  { mail, clock = systemClock }: AlertTransport,
  signal?: AbortSignal,
): Promise<Attempt> {
  const beginning = "";
  if (!mail) {
    // An operator can set one.
    const outcome: Outcome = { state: "failed", reason: noMailerText, isTemporary: true };
    return { outcome, milliseconds: 0, beginning };
  }
  const { mailer, appUrl, database } = mail;
  const start = clock.now();
  // An address without an account has no language. While the database is away, any is better than none.
  const reader = await userWithEmail(database.queries, to.toLowerCase()).catch(() => null);
  const email = inLanguageOf(reader ?? undefined, () => {
    const [{ title, text: sentence }, { text: whole }] = [message.at, clock.date()]
      .map((at) => textOf(message, at));
    return alertMail({ to, appUrl }, { title, sentence, whole, path: viewPathOf(message) });
  });
  const sent = await mailer.send({ ...email, id, answers }, { attempts: 1, signal });
  const milliseconds = Math.round(clock.now() - start);
  const outcome: Outcome = sent.ok
    ? { state: "delivered" }
    : { state: "failed", reason: shownAnswer(sent.reason), isTemporary: sent.isTemporary };
  return { outcome, milliseconds, beginning };
}

/** Why messages are given up: they were tried for long enough, too many waited, or they cannot be read. */
export type GivenUpReason = "expired" | "queueFull" | "unreadable";

/** Numbers of deliveries to receivers of alerts. */
export interface DeliveryStats {
  waiting: number;
  delivered: number;
  failedAttempts: number;
  givenUp: Record<GivenUpReason, number>;
}

/** Options of an {@link AlertSender}. */
export interface AlertSenderOptions extends AlertTransport {
  database: Database;
  /** See `AlertWatch`. */
  term?: LeaderTerm;
  log: (entry: LogEntry) => void;
}

/**
 * Delivers what waits in the database to its receivers, each in its order, one request at a time to each. What is
 * sent and not yet stored as delivered when the process ends is sent again, with the same id.
 */
export class AlertSender {
  readonly #options: AlertSenderOptions;
  readonly #clock: Clock;
  readonly #stats: DeliveryStats = {
    waiting: 0,
    delivered: 0,
    failedAttempts: 0,
    givenUp: { expired: 0, queueFull: 0, unreadable: 0 },
  };
  readonly #busy = new Map<string, Promise<void>>();
  #stop: AbortController | null = null;
  #looking: Promise<void> | undefined;
  #isToLookAgain = false;
  #cancelTimer = () => {};
  #hasFailed = false;
  /** Counts attempts that have ended. */
  #ended = 0;
  /** What came of attempts and could not be stored yet: these are not sent again. */
  readonly #unstored = new Map<string, AlertDelivery>();

  constructor(options: AlertSenderOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Begins to deliver, also after {@link stop}. */
  begin(): void {
    // Another server may have delivered what was not stored in the term before.
    if (!this.#stop) this.#unstored.clear();
    this.#stop ??= new AbortController();
    this.wake();
  }

  /** What became of attempts since the start, and how many messages wait, on the server that delivers them. */
  get stats(): Readonly<DeliveryStats> {
    return this.#stats;
  }

  /** Something was added. */
  wake(): void {
    this.#isToLookAgain = true;
    if (!this.#stop || this.#looking) return;
    this.#cancelTimer();
    this.#looking = this.#lookAll(this.#stop).finally(() => {
      this.#looking = undefined;
      if (this.#isToLookAgain) this.wake();
    });
  }

  /** Aborts the requests that run, and delivers nothing more until {@link begin}. Never rejects. */
  async stop(): Promise<void> {
    this.#end();
    await this.#looking;
    await Promise.all(this.#busy.values());
  }

  #end(): void {
    this.#stop?.abort();
    this.#stop = null;
    this.#stats.waiting = 0;
    this.#cancelTimer();
  }

  async #lookAll(stop: AbortController): Promise<void> {
    while (this.#isToLookAgain && !stop.signal.aborted) {
      this.#isToLookAgain = false;
      try {
        await this.#look(stop);
        this.#hasFailed = false;
      } catch (error) {
        this.#failed(error);
        this.#wakeAfter(databaseRetryMs, stop);
      }
    }
  }

  #failed(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#options.log({ level: "error", message: "Alerts could not be delivered", error });
  }

  #wakeAfter(milliseconds: number, stop: AbortController): void {
    if (stop.signal.aborted) return;
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.after(milliseconds, () => this.wake());
  }

  /** Begins an attempt at each receiver that is free and whose oldest message is due. */
  async #look(stop: AbortController): Promise<void> {
    const { queries } = this.#options.database;
    for (const after of this.#unstored.values()) await this.#store(after);
    const ended = this.#ended;
    if (await countWaiting(queries) > mostWaiting) {
      this.#givenUp("queueFull", await this.#inTerm(giveUpOldest) ?? 0);
    }
    const { deliveries: waiting, unreadable } = await nextDeliveries(queries);
    this.#givenUp("unreadable", unreadable);
    this.#stats.waiting = await countWaiting(queries);
    if (waiting.length === 0) return this.#cancelTimer();
    const receivers = new Map((await listReceivers(queries)).map((one) => [one.id, one]));
    // An attempt that ended meanwhile may be among those that waited.
    if (stop.signal.aborted || this.#ended !== ended) return this.wake();
    const now = this.#clock.date();
    let nextAt = Infinity;
    for (const delivery of waiting) {
      const { receiver: recipient } = delivery;
      const receiver = receivers.get(partsOf(recipient).id);
      // One that is busy wakes this again.
      if (!receiver || this.#busy.has(recipient)) continue;
      if (delivery.nextAt > now) nextAt = Math.min(nextAt, delivery.nextAt);
      else this.#begin(receiver, delivery, stop);
    }
    if (nextAt < Infinity) this.#wakeAfter(Math.min(longestTimerMs, nextAt - now), stop);
  }

  /** Counts messages that were given up without an attempt, and says so. */
  #givenUp(reason: GivenUpReason, messages: number): void {
    if (messages === 0) return;
    this.#stats.givenUp[reason] += messages;
    this.#options.log({ level: "warn", message: "Alerts given up unsent", reason, messages });
  }

  #begin(receiver: AlertReceiver, delivery: AlertDelivery, stop: AbortController): void {
    const done = this.#deliver(receiver, delivery, stop).then(() => true, (error) => {
      this.#failed(error);
      return false;
    }).then((isDone) => {
      this.#busy.delete(delivery.receiver);
      this.#ended++;
      if (isDone) this.wake();
      else this.#wakeAfter(databaseRetryMs, stop);
    });
    this.#busy.set(delivery.receiver, done);
  }

  async #deliver(
    receiver: AlertReceiver,
    delivery: AlertDelivery,
    stop: AbortController,
  ): Promise<void> {
    const { outcome } = await this.#attempt(receiver, delivery, stop.signal);
    if (stop.signal.aborted && outcome.state === "failed") return;
    const after = afterAttempt(delivery, outcome, this.#clock.date());
    if (outcome.state === "delivered") this.#stats.delivered++;
    else this.#stats.failedAttempts++;
    if (after.state === "failed") this.#stats.givenUp.expired++;
    this.#log(receiver, delivery, after);
    this.#unstored.set(after.id, after);
    await this.#store(after);
  }

  async #attempt(
    receiver: AlertReceiver,
    delivery: AlertDelivery,
    signal: AbortSignal,
  ): Promise<Attempt> {
    const { to } = partsOf(delivery.receiver);
    if (to === undefined) return await attempt(receiver, delivery, this.#options, signal);
    const answers = await beginningOf(this.#options.database, delivery);
    return await attempt(receiver, { ...delivery, to, answers }, this.#options, signal);
  }

  /** Stores what came of an attempt; nothing in the term of another server, which has read what waits. */
  async #store(after: AlertDelivery): Promise<void> {
    const isStored = await this.#inTerm(async (transaction) => {
      await storeAttempt(transaction, after);
      return true;
    });
    this.#unstored.delete(after.id);
    // Another server delivers what waits from now on, until this one begins again.
    if (isStored === null) this.#end();
  }

  /** Does work in a transaction; null in the term of another server, in which nothing is done. */
  async #inTerm<Value>(
    work: (transaction: Kysely<Tables>) => Promise<Value>,
  ): Promise<Value | null> {
    const { database, term } = this.#options;
    return await (term ? term.within(work) : database.exclusively(work));
  }

  /** One line when a receiver begins to fail, one when a message is given up, and one when it works again. */
  #log({ kind, settings }: AlertReceiver, before: AlertDelivery, after: AlertDelivery): void {
    // No line of the log has an address of a person.
    const place = kind !== "email" && { receiver: new URL(settings.url).origin };
    const fields = { service: kind, ...place, attempts: after.attempts };
    if (after.state === "failed") {
      this.#options.log({ level: "warn", message: "Alert given up", ...fields });
    } else if (after.state === "waiting" && before.error === null) {
      this.#options.log({ level: "warn", message: "Alert not delivered", ...fields });
    } else if (after.state === "delivered" && before.error !== null) {
      this.#options.log({ level: "info", message: "Alert delivered again", ...fields });
    }
  }
}
