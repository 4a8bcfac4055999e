/**
 * The apps that admins add, rename, remove and give other secrets, and what "Connect your app" shows of them.
 *
 * The apps that are served come from the settings, and apps that admins added from the database;
 * `server/config/served_apps.ts` joins them and hands them to the real-time server. The registry stores a
 * change and has it served at once. `app_statuses.ts` remembers how clients of each app fare: who joined, and
 * which attempts were rejected (`rejected_attempts.ts`), with the reason and what to change. `guides/` writes
 * the code that connects an app, for several languages and libraries, from an `AppConnection`.
 *
 * The promises: a change is stored together with its entry in the admin log, or not at all, and connections
 * of apps that stay remain open. Other servers serve it before the change is answered, or when they can be
 * reached again. A secret is in the answer to the click that reveals it, and nowhere else. A list of apps in
 * the settings is complete: then admins cannot change apps, and the page says so.
 *
 * The trade-off: what is known of clients is in memory and since the start of the server, a few of each kind for
 * each app; other servers are asked when a page is open. It is help for setting up, not a log.
 *
 * Changes wait for each other: each starts from what is served after the previous one.
 *
 * @module
 */
import { randomBytes, randomInt } from "node:crypto";
import type { Kysely } from "kysely";
import { z } from "zod";
import { readStoredApps, statesOwnSecret, type StoredApp } from "../config/served_apps.ts";
import type { Core } from "../core.ts";
import type { InTransaction, Tables } from "../database/schema.ts";
import type { AppConfig } from "@/realtime/app_config.ts";
import { text } from "@/shared/language.ts";
import { unnamedApp } from "@/shared/channel_list.ts";
import { mostApps } from "@/shared/limits.ts";

/** Stores an app, or replaces the one with its id. */
async function writeStoredApp(
  queries: Kysely<Tables>,
  { id, name, key, secret }: StoredApp,
): Promise<void> {
  await queries.insertInto("app").values({ id, name, key, secret, createdAt: Date.now() })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ name, key, secret })).execute();
}

async function deleteStoredApp(queries: Kysely<Tables>, id: string): Promise<void> {
  await queries.deleteFrom("app").where("id", "=", id).execute();
}

/** An app with a new id, key and secret. */
function newApp(name: string): StoredApp & { secret: string } {
  return {
    id: String(randomInt(100_000, 10_000_000)),
    name,
    key: randomBytes(10).toString("hex"),
    secret: newAppSecret(),
  };
}

/** A secret of 160 bits. */
function newAppSecret(): string {
  return randomBytes(20).toString("hex");
}

/** An app, as admins see it. */
export interface AppView {
  id: string;
  name: string;
  key: string;
  /** Whether it is the app of Rollcall's own pages, whose members the live view shows. */
  isOwn: boolean;
  /** Whether an admin may change its secret; secrets in settings change there. */
  mayRotate: boolean;
  /** Whether an admin may remove it: one that an admin added. */
  mayRemove: boolean;
}

/** An app after a change, or why nothing changed. */
export type AppResult =
  | { ok: true; app: AppView }
  | { ok: false; reason: "invalid" | "too_many" | "unknown" | "read_only"; message: string };

/** The generated secret of the app of Rollcall's own pages, where it is stored. */
interface OwnSecret {
  read(): Promise<string>;
  store(secret: string): Promise<void>;
}

const nameSchema = z.string().trim().min(1, { error: () => text`Enter a name.` })
  .max(100, { error: () => text`At most ${100} characters` })
  .refine((name) => !/\p{Cc}|\p{Cs}|\p{Bidi_Control}/u.test(name), {
    error: () => text`Remove control characters.`,
  });

/**
 * The apps that are served, and what admins may change about them. A change is stored, and then served
 * at once; connections of apps that stay remain open.
 */
export class AppRegistry {
  readonly #core: Core;
  readonly #ownSecret: OwnSecret;
  readonly #listener: () => void;
  #last: Promise<unknown> = Promise.resolve();

  /** @param changed is called after apps were added, changed or removed. */
  constructor(core: Core, ownSecret: OwnSecret, changed: () => void) {
    this.#core = core;
    this.#ownSecret = ownSecret;
    this.#listener = changed;
  }

  /** Whether apps come only from a list in the settings, which admins cannot change. */
  get isReadOnly(): boolean {
    return this.#core.served.config.appList !== undefined;
  }

  /** The apps, the app of Rollcall's own pages first. */
  list(): AppView[] {
    return this.#core.served.all.map((app) => this.#view(app));
  }

  /** The name of the app of Rollcall's own pages, if it has to be told from others: undefined for one. */
  get ownNameAmongSeveral(): string | undefined {
    const { all, own } = this.#core.served;
    return all.length > 1 ? this.#view(own).name : undefined;
  }

  /** The name of an app, if it has to be told from others: undefined for one, and for one that is gone. */
  nameAmongSeveral(id: string): string | undefined {
    return this.#core.served.all.length > 1 ? this.find(id)?.name : undefined;
  }

  /** The app with an id; null when there is none. */
  find(id: string): AppView | null {
    return this.list().find((app) => app.id === id) ?? null;
  }

  /** The secret of an app; null when there is none. */
  secretOf(id: string): string | null {
    return this.#core.served.all.find((app) => app.id === id)?.secret ?? null;
  }

  /** Adds an app with a generated id, key and secret. */
  add(
    name: string,
    inTransaction?: InTransaction<{ id: string; name: string }>,
  ): Promise<AppResult> {
    return this.#serialize(async () => {
      const result = nameSchema.safeParse(name);
      if (!result.success) return invalid(result.error);
      if (this.isReadOnly) return readOnly();
      if (this.#core.served.all.length >= mostApps) return tooMany();
      const app = newApp(result.data);
      await this.#change((transaction) => writeStoredApp(transaction, app), app, inTransaction);
      return this.#result(app.id);
    });
  }

  /** Renames an app. */
  rename(
    id: string,
    name: string,
    inTransaction?: InTransaction<{ id: string; name: string }>,
  ): Promise<AppResult> {
    return this.#serialize(async () => {
      const result = nameSchema.safeParse(name);
      if (!result.success) return invalid(result.error);
      const app = this.#core.served.all.find((served) => served.id === id);
      if (!app) return unknown();
      if (this.isReadOnly) return readOnly();
      const secret = this.#view(app).mayRemove ? app.secret : null;
      const stored: StoredApp = { id, key: app.key, secret, name: result.data };
      await this.#change(
        (transaction) => writeStoredApp(transaction, stored),
        stored,
        inTransaction,
      );
      return this.#result(id);
    });
  }

  /** Gives an app a new secret. What the old one signed before stays valid; nothing new does. */
  rotate(
    id: string,
    inTransaction?: InTransaction<{ id: string; name: string }>,
  ): Promise<AppResult> {
    return this.#serialize(async () => {
      const { served, database } = this.#core;
      const app = this.find(id);
      if (!app) return unknown();
      if (!app.mayRotate) return readOnly();
      const secret = newAppSecret();
      if (app.isOwn) {
        await database.exclusively(async (transaction) => await inTransaction?.(transaction, app));
        await this.#ownSecret.store(secret);
        served.replaceOwnSecret(secret);
        await this.#stored();
      } else {
        await this.#change(
          (transaction) => writeStoredApp(transaction, { ...app, secret }),
          app,
          inTransaction,
        );
      }
      return this.#result(id);
    });
  }

  /** Removes an app that an admin added; its clients are closed with 4001. */
  remove(
    id: string,
    inTransaction?: InTransaction<{ id: string; name: string }>,
  ): Promise<AppResult> {
    return this.#serialize(async () => {
      const app = this.find(id);
      if (!app) return unknown();
      if (!app.mayRemove) return readOnly();
      await this.#change((transaction) => deleteStoredApp(transaction, id), app, inTransaction);
      return { ok: true, app };
    });
  }

  /** Serves what another server has stored. @throws {Error} when it cannot be read */
  reload(): Promise<void> {
    return this.#serialize(async () => {
      const { database, served } = this.#core;
      const stored = await readStoredApps(database.queries);
      const isGenerated = !this.isReadOnly && !statesOwnSecret(served.config);
      const secret = isGenerated ? await this.#ownSecret.read() : served.own.secret;
      if (secret !== served.own.secret) served.replaceOwnSecret(secret);
      served.store(stored);
      this.#listener();
    });
  }

  async #change(
    write: (transaction: Kysely<Tables>) => Promise<void>,
    { id, name }: { id: string; name: string },
    inTransaction: InTransaction<{ id: string; name: string }> | undefined,
  ): Promise<void> {
    const { database, served } = this.#core;
    const stored = await database.exclusively(async (transaction) => {
      await write(transaction);
      await inTransaction?.(transaction, { id, name });
      return await readStoredApps(transaction);
    });
    served.store(stored);
    this.#listener();
    await this.#stored();
  }

  /** Other servers have to reload. */
  async #stored(): Promise<void> {
    await this.#core.cluster?.bus.changes.changed("apps");
  }

  #view({ id, name, key }: AppConfig): AppView {
    const { served } = this.#core;
    const isOwn = served.own.id === id;
    return {
      id,
      key,
      isOwn,
      name: name ?? (isOwn ? unnamedApp : id),
      mayRotate: !this.isReadOnly && !(isOwn && statesOwnSecret(served.config)),
      mayRemove: !this.isReadOnly && !isOwn,
    };
  }

  #result(id: string): AppResult {
    const app = this.find(id);
    return app ? { ok: true, app } : unknown();
  }

  #serialize<Value>(work: () => Promise<Value>): Promise<Value> {
    const last = this.#last.then(work, work);
    this.#last = last.catch(() => {});
    return last;
  }
}

function invalid(error: z.ZodError): AppResult {
  return { ok: false, reason: "invalid", message: error.issues[0].message };
}

function unknown(): AppResult {
  return { ok: false, reason: "unknown", message: text`This app no longer exists.` };
}

function readOnly(): AppResult {
  const message = text`This app is defined in the server's settings. Change it there.`;
  return { ok: false, reason: "read_only", message };
}

function tooMany(): AppResult {
  const message = text`You've reached ${mostApps} apps. Remove one first.`;
  return { ok: false, reason: "too_many", message };
}
