/**
 * “Forgot your password?”: sends a link to an email that is asked for, if an account signs in with it and a password.
 *
 * The promises: the answer and the time until it are the same for an email with an account and for one without.
 * So nothing about the account is looked up before the answer is on its way: that follows a moment later. A client
 * can ask for few links, and few go to one email, over all servers, so that no inbox is flooded.
 *
 * The trade-off: a link that is asked for replaces the one before, also an admin's. So a stranger can end a link
 * that an admin made; its owner then has the new one by email.
 *
 * @module
 */
import { askedLinksOfClient, askedLinksOfEmail, takeAttempt } from "../accounts/sign_in.ts";
import { auditWithoutSession } from "../audit/audit.ts";
import type { AuditLog } from "../audit/audit_log.ts";
import type { Core } from "../core.ts";
import type { Mailer } from "../mail/mailer.ts";
import { resetMail } from "../mail/mail_texts.ts";
import { rateLimitKey } from "../net/window_limits.ts";
import { entryLog } from "../observability/logging.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import { inLanguageOf } from "../language/languages.ts";

/** How long after an answer its email is looked up, in ms. */
export const lookupDelayMs = 1_000;

/** Emails that wait for that at the same time; more are refused for a moment. */
const mostWaiting = 200;

/** What this needs of the server. */
export interface ForgottenParts {
  config: { appUrl: URL };
  database: Core["database"];
  accounts: Core["accounts"];
  auditLog: AuditLog;
  mailer: Mailer;
}

/** Sends links to people who forgot their password. */
export class ForgottenPasswords {
  readonly #parts: ForgottenParts;
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  readonly #running = new Set<Promise<void>>();
  #isStopped = false;

  constructor(parts: ForgottenParts, clock: Clock = systemClock) {
    this.#parts = parts;
    this.#clock = clock;
  }

  /**
   * Sends a link to an email, if it is that of an account that signs in with a password.
   *
   * @param email as accounts have it.
   * @returns null; or, when the client asked too often, in how many seconds it may ask again.
   */
  async ask(email: string, clientAddress: string): Promise<number | null> {
    const { queries } = this.#parts.database;
    const wait = await takeAttempt(queries, askedLinksOfClient(rateLimitKey(clientAddress)));
    if (wait !== null) return wait;
    if (this.#isStopped || this.#waiting.size >= mostWaiting) return 60;
    const cancel = this.#clock.after(lookupDelayMs, () => {
      this.#waiting.delete(cancel);
      const sending = this.#send(email).finally(() => this.#running.delete(sending));
      this.#running.add(sending);
    });
    this.#waiting.add(cancel);
    return null;
  }

  /** Forgets what waits, and waits for what is looked up. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const cancel of this.#waiting) cancel();
    this.#waiting.clear();
    await Promise.all(this.#running);
  }

  async #send(email: string): Promise<void> {
    const { accounts, auditLog, config: { appUrl }, database, mailer } = this.#parts;
    try {
      // A new link would end the one before, and not arrive.
      if (!mailer.canTake) {
        entryLog("accounts")({ level: "warn", message: "No reset link: too many emails wait" });
        return;
      }
      if (await takeAttempt(database.queries, askedLinksOfEmail(email)) !== null) return;
      let asker: { language: string | null } | undefined;
      const made = await accounts.links.forgotten(email, async (transaction, user) => {
        asker = user;
        await auditWithoutSession(auditLog, { action: "reset_link_requested", user }, transaction);
      });
      // Not awaited: the mailer tries for an hour, and shows a failure to admins.
      if (!made) return;
      const link = { token: made.token, asker: null };
      mailer.send(inLanguageOf(asker, () => resetMail({ to: email, appUrl }, link)));
    } catch (error) {
      entryLog("accounts")({ level: "error", message: "Could not make a reset link", error });
    }
  }
}

/** Links for who forgot the password; undefined where no email is sent, or no password signs in. */
export function startForgottenPasswords(
  { config, database, accounts, mailer }: Core,
  auditLog: AuditLog,
): ForgottenPasswords | undefined {
  if (!mailer || !config.passwordSignIn) return undefined;
  return new ForgottenPasswords({ config, database, accounts, auditLog, mailer });
}
