import { z } from "zod";
import type { Database } from "../database/database.ts";
import { readSetting, writeSetting } from "../database/stored_setting.ts";
import type { AccountsOf } from "../presence/identity.ts";
import type { LogEntry, SeenEvents } from "@/realtime/server.ts";
import type { Clock } from "@/realtime/timing/clock.ts";
import { isTrialId } from "@/shared/connect.ts";
import { isGuestId } from "@/shared/client_settings.ts";

/** The name under which it is stored that an app has had a user. */
const settingName = "first_app_user";

const settingSchema = z.object({
  /** When the user came, in milliseconds since 1970. */
  at: z.number(),
});

/** Users that wait to be looked up among the accounts; further ones are looked up when they join again. */
const maxCandidates = 100;

/** How long pages that are open have to show who came before they connect again, in milliseconds. */
const shownMs = 2_000;

/** The pause after the database failed, in milliseconds. */
const retryMs = 5_000;

/** Options of a {@link FirstAppUser}. */
export interface FirstAppUserOptions {
  database: Database;
  realtime: SeenEvents;
  accountsOf: AccountsOf;
  /** Is called, and waited for, after this server has stored it: other servers have to reload. */
  stored: () => unknown;
  /** Is called two seconds after that: admins' pages have to connect again. */
  came: () => Promise<void>;
  clock: Clock;
  log: (entry: LogEntry) => void;
}

/**
 * Whether an app of the operator has ever had a user. Before, admins on Rollcall's own pages are counted, so
 * that they see the number move; afterwards the number counts the app's users, and they only watch. It holds for
 * all servers of the installation and over restarts. Accounts, guests, the check of the public address and
 * simulated users are no users of an app.
 */
export class FirstAppUser {
  readonly #options: FirstAppUserOptions;
  readonly #candidates = new Set<string>();
  #hasCome = false;
  #isLooking = false;
  #stopListening = () => {};
  #cancel = () => {};

  /** @throws {Error} when the database cannot be read. */
  static async open(options: FirstAppUserOptions): Promise<FirstAppUser> {
    const first = new FirstAppUser(options);
    await first.reload();
    return first;
  }

  private constructor(options: FirstAppUserOptions) {
    this.#options = options;
    this.#stopListening = options.realtime.onSubscription((_channel, _app, member) => {
      if (member) this.#joined(member.id);
    });
  }

  /** Whether the first user has come. */
  get hasCome(): boolean {
    return this.#hasCome;
  }

  /** Reads it again: another server may have stored it. */
  async reload(): Promise<void> {
    const { queries } = this.#options.database;
    if (await readSetting(queries, settingName, settingSchema)) this.#end();
  }

  /** Looks at no more users. */
  stop(): void {
    this.#stopListening();
    this.#candidates.clear();
    this.#cancel();
  }

  #end(): void {
    this.#hasCome = true;
    this.stop();
  }

  #joined(id: string): void {
    if (isGuestId(id) || isTrialId(id)) return;
    if (this.#candidates.size >= maxCandidates) return;
    this.#candidates.add(id);
    if (!this.#isLooking) void this.#look();
  }

  async #look(): Promise<void> {
    const { accountsOf, clock, log } = this.#options;
    this.#isLooking = true;
    try {
      while (this.#candidates.size > 0) {
        const ids = [...this.#candidates];
        const accounts = new Set((await accountsOf(ids)).map(({ id }) => id));
        if (ids.some((id) => !accounts.has(id))) await this.#came();
        for (const id of ids) this.#candidates.delete(id);
      }
      this.#isLooking = false;
    } catch (error) {
      log({ level: "warn", message: "Could not store that an app has had a user", error });
      this.#cancel = clock.after(retryMs, () => this.#look());
    }
  }

  async #came(): Promise<void> {
    const { came, clock, database, log, stored } = this.#options;
    await writeSetting(database.queries, settingName, { at: clock.date() });
    if (this.#hasCome) return;
    this.#end();
    await stored();
    this.#cancel = clock.after(
      shownMs,
      () =>
        void came().catch((error) =>
          log({ level: "warn", message: "Admins' pages could not be told to connect again", error })
        ),
    );
  }
}
