import { z } from "zod";
import type { Core } from "../core.ts";
import { readSetting, writeSetting } from "../database/stored_setting.ts";
import type { LogEntry } from "@/realtime/server.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import { isTrialId } from "@/shared/connect.ts";
import { may } from "@/shared/permissions.ts";
import { onlineChannel } from "../presence/channels.ts";
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

/**
 * Whether an app of the operator has ever had a user. Before, admins on Rollcall's own pages are counted, so
 * that they see the number move; afterwards the number counts the app's users, and they only watch. It holds for
 * all servers of the installation and over restarts. Accounts, guests, the check of the public address and
 * simulated users are no users of an app.
 */
export class FirstAppUser {
  readonly #core: Core;
  readonly #log: (entry: LogEntry) => void;
  readonly #clock: Clock;
  readonly #candidates = new Set<string>();
  #hasCome = false;
  #isLooking = false;
  #stopListening = () => {};
  #cancel = () => {};

  /** @throws {Error} when the database cannot be read. */
  static async open(
    core: Core,
    log: (entry: LogEntry) => void,
    clock: Clock = systemClock,
  ): Promise<FirstAppUser> {
    const first = new FirstAppUser(core, log, clock);
    await first.reload();
    return first;
  }

  private constructor(core: Core, log: (entry: LogEntry) => void, clock: Clock) {
    this.#core = core;
    this.#log = log;
    this.#clock = clock;
    this.#stopListening = core.realtime.onSubscription((_channel, _app, member) => {
      if (member) this.#joined(member.id);
    });
  }

  /** Whether the first user has come. */
  get hasCome(): boolean {
    return this.#hasCome;
  }

  /** Reads it again: another server may have stored it. */
  async reload(): Promise<void> {
    const { queries } = this.#core.database;
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
    this.#isLooking = true;
    try {
      while (this.#candidates.size > 0) {
        const ids = [...this.#candidates];
        const found = await this.#core.accounts.findAll(ids);
        const accounts = new Set(found.map(({ id }) => id));
        if (ids.some((id) => !accounts.has(id))) await this.#came();
        for (const id of ids) this.#candidates.delete(id);
      }
      this.#isLooking = false;
    } catch (error) {
      this.#log({ level: "warn", message: "Could not store that an app has had a user", error });
      this.#cancel = this.#clock.after(retryMs, () => this.#look());
    }
  }

  async #came(): Promise<void> {
    const { cluster, database } = this.#core;
    await writeSetting(database.queries, settingName, { at: this.#clock.date() });
    if (this.#hasCome) return;
    this.#end();
    // Other servers have to reload.
    await cluster?.bus.changes.changed("first_app_user");
    const message = "Admins' pages could not be told to connect again";
    this.#cancel = this.#clock.after(shownMs, () => {
      this.#reconnectAdmins().catch((error) => this.#log({ level: "warn", message, error }));
    });
  }

  /** Those who are counted: a page that was opened since the user came only watches already. */
  async #reconnectAdmins(): Promise<void> {
    const { accounts, allServers, ownApp: { presence } } = this.#core;
    const admins = (await accounts.list()).filter(({ id, role }) =>
      may(role, "view") && presence.isMember(onlineChannel, id)
    );
    for (const { id } of admins) allServers.reconnectUser(id);
  }
}
