/**
 * Emails: invitations, links to reset a password, alerts, tests.
 *
 * `Mailer` has the queue, `smtp.ts` makes one attempt, `mail.ts` says what an email may be; the settings are in
 * `server/config/mail_settings.ts`.
 *
 * The promises: nothing that an email says can add a header or a recipient. Nothing is sent without TLS, unless the
 * mail server is this machine or the setting says so. What waits is bounded, and so is how much is sent in a
 * minute, so that no flood of requests becomes one of emails. No line of the log has an address. A caller is told
 * how it ended, in a sentence that admins can read.
 *
 * The trade-off: the queue is in memory. A restart loses what waits, and callers that wait are told so: links can
 * be sent again, and alerts have a store of their own. An email whose connection breaks after its last byte is sent
 * again, with the same `Message-ID`, so it can arrive twice, but is never lost.
 *
 * @module
 */
import type { MailConfig } from "../config/mail_settings.ts";
import { entryLog } from "../observability/logging.ts";
import { checkedMail, type Mail } from "./mail.ts";
import {
  type Deliver,
  type MailOutcome,
  prepared,
  type PreparedMail,
  smtpDelivery,
} from "./smtp.ts";
import type { LogEntry } from "@/realtime/server.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";

export type { Mail } from "./mail.ts";
export type { MailOutcome } from "./smtp.ts";

/** Limits of a {@link Mailer}, each of one server. */
export const mailLimits = {
  /** Emails that are sent or wait. */
  queued: 500,
  /** Characters of these. */
  characters: 5_000_000,
  /** Attempts at the same time: mail servers refuse clients with many connections. */
  atOnce: 2,
  /** Attempts in a minute. */
  perMinute: 60,
  /** How long an attempt may take, in ms. */
  attemptMs: 30_000,
  /** How long a stop waits for attempts, in ms. */
  stopMs: 1_000,
};

/**
 * How long after an attempt the next one follows, in seconds. Servers that refuse unknown clients at first take
 * an email after some minutes.
 */
const pauses = [5, 30, 120, 300, 900, 1_800];

/** More characters than an invitation or a link to reset a password has. */
const usualLength = 5_000;

interface Queued {
  mail: PreparedMail;
  /** Attempts that are left. */
  attempts: number;
  tried: number;
  dueAt: number;
  signal?: AbortSignal;
  end: (outcome: MailOutcome) => void;
}

/** Sends emails in the background. */
export class Mailer {
  /** What the settings say. */
  readonly config: MailConfig;
  readonly #deliver: Deliver;
  readonly #clock: Clock;
  readonly #log: (entry: LogEntry) => void;
  readonly #queued = new Set<Queued>();
  readonly #running = new Map<Queued, Promise<void>>();
  readonly #stop = new AbortController();
  /** When attempts of the last minute began. */
  #begun: number[] = [];
  #characters = 0;
  #isStopped = false;
  #cancel = () => {};
  /** The last email that this server gave up, unless it sent one since; the time is in ms since 1970. */
  lastFailure: { at: number; reason: string } | null = null;

  /** @param parts what tests replace. */
  constructor(config: MailConfig, parts: { deliver?: Deliver; clock?: Clock } = {}) {
    this.config = config;
    this.#deliver = parts.deliver ?? smtpDelivery(config);
    this.#clock = parts.clock ?? systemClock;
    this.#log = entryLog("mail");
  }

  /** How many emails are sent or wait. */
  get size(): number {
    return this.#queued.size;
  }

  /** Whether another email fits into the queue. If not, it is refused, so that its sender learns of it. */
  get canTake(): boolean {
    return this.#hasRoomFor(usualLength);
  }

  #hasRoomFor(length: number): boolean {
    return this.#queued.size < mailLimits.queued &&
      this.#characters + length <= mailLimits.characters;
  }

  /**
   * Sends an email, with further attempts for an hour while it fails temporarily.
   *
   * @param attempts how often it is tried at most; 1 for callers who try again themselves.
   * @param signal ends it, as a stop does.
   * @returns how it ended; it never rejects. A caller need not wait for it.
   */
  send(
    mail: Mail,
    { attempts = pauses.length + 1, signal }: { attempts?: number; signal?: AbortSignal } = {},
  ): Promise<MailOutcome> {
    const checked = checkedMail(mail);
    if (!checked.ok) return Promise.resolve(notSent(checked.reason, "invalid", false));
    const length = lengthOf(checked.mail);
    if (this.#isStopped || signal?.aborted) return Promise.resolve(stopped);
    if (!this.#hasRoomFor(length)) {
      this.#log({ level: "warn", message: "An email was not sent: too many wait" });
      return Promise.resolve(notSent("Too many emails wait. Try again later.", "full", true));
    }
    const { promise, resolve } = Promise.withResolvers<MailOutcome>();
    const queued: Queued = {
      mail: prepared(checked.mail, this.config),
      attempts,
      tried: 0,
      dueAt: this.#clock.now(),
      signal,
      end: (outcome) => {
        if (!this.#queued.delete(queued)) return;
        signal?.removeEventListener("abort", abort);
        this.#characters -= length;
        resolve(outcome);
      },
    };
    // An attempt that runs ends by itself.
    const abort = () => this.#running.has(queued) || queued.end(stopped);
    signal?.addEventListener("abort", abort);
    this.#queued.add(queued);
    this.#characters += length;
    this.#begin();
    return promise;
  }

  /** Begins no further attempt. Waits a moment for those that run, and then ends them. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    for (const queued of this.#queued) if (!this.#running.has(queued)) queued.end(stopped);
    const cancel = this.#clock.after(mailLimits.stopMs, () => this.#stop.abort());
    await Promise.all(this.#running.values());
    cancel();
  }

  /** Begins what is due, as far as the limits allow, and looks again when more is. */
  #begin(): void {
    this.#cancel();
    this.#cancel = () => {};
    if (this.#isStopped || this.#running.size >= mailLimits.atOnce) return;
    const now = this.#clock.now();
    const waiting = [...this.#queued].filter((queued) => !this.#running.has(queued))
      .sort((one, other) => one.dueAt - other.dueAt);
    for (const queued of waiting) {
      if (this.#running.size >= mailLimits.atOnce) return;
      const wait = Math.max(queued.dueAt - now, this.#waitMs(now));
      if (wait > 0) {
        this.#cancel = this.#clock.after(Math.ceil(wait), () => this.#begin());
        return;
      }
      this.#begun.push(now);
      this.#running.set(queued, this.#attempt(queued));
    }
  }

  /** In how many ms the next attempt may begin. */
  #waitMs(now: number): number {
    this.#begun = this.#begun.filter((at) => at > now - 60_000);
    return this.#begun.length < mailLimits.perMinute ? 0 : this.#begun[0] + 60_000 - now;
  }

  async #attempt(queued: Queued): Promise<void> {
    const limit = new AbortController();
    const cancel = this.#clock.after(mailLimits.attemptMs, () => limit.abort());
    const ends = queued.signal ? [queued.signal] : [];
    const signal = AbortSignal.any([limit.signal, this.#stop.signal, ...ends]);
    const outcome = await this.#deliver(queued.mail, signal);
    cancel();
    this.#running.delete(queued);
    queued.tried++;
    if (queued.signal?.aborted && !outcome.ok) queued.end(stopped);
    else this.#ended(queued, outcome);
    this.#begin();
  }

  #ended(queued: Queued, outcome: MailOutcome): void {
    if (outcome.ok) {
      this.lastFailure = null;
      return queued.end(outcome);
    }
    const { reason, isTemporary, code } = outcome;
    const { tried, attempts } = queued;
    const isLast = !isTemporary || tried >= attempts || this.#isStopped;
    const message = isLast ? "An email was not sent" : "An email is tried again later";
    this.#log({ level: "warn", message, code, attempt: tried });
    if (isLast) {
      // Of one that is tried again it is not known yet whether it fails.
      this.lastFailure = { at: this.#clock.date(), reason };
      return queued.end(outcome);
    }
    const pause = pauses[Math.min(tried, pauses.length) - 1];
    queued.dueAt = this.#clock.now() + 1_000 * pause;
  }
}

/** The mailer of the settings; undefined when they have no mail server. */
export function openMailer(mail: MailConfig | undefined): Mailer | undefined {
  return mail && new Mailer(mail);
}

function notSent(reason: string, code: string, isTemporary: boolean): MailOutcome {
  return { ok: false, reason, isTemporary, code };
}

const stopped = notSent("Rollcall stopped before the email was sent.", "stopped", true);

function lengthOf({ subject, text, html = "" }: Mail): number {
  return subject.length + text.length + html.length;
}
