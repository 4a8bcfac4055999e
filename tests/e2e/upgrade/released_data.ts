import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { sqlitePath } from "@/server/database/sqlite_dialect.ts";
import type { AppCredentials } from "@/realtime/app_config.ts";
import type { TestDatabase } from "../../fixtures/databases.ts";
import { execute } from "../../fixtures/postgres.ts";
import type { RedisServer } from "../../fixtures/redis.ts";

/**
 * What a server of release 0.1.0 left, frozen: all that its pages, sockets and API had stored after an afternoon. The
 * embedded database is of a server that was stopped, PostgreSQL of one of several that was killed. `marks.json` has
 * what only people and their browsers know. All keys, secrets and passwords were made for this and are used nowhere.
 */
const folder = new URL("0.1.0/", import.meta.url);

/** What people and browsers had of the installation. */
export interface Marks {
  /** Local time at which the later release is started. */
  readonly time: string;
  /** An app that an admin added. */
  readonly shop: AppCredentials;
  /** The paths of links. */
  readonly wallboard: string;
  readonly revokedWallboard: string;
  readonly embed: string;
  readonly invite: string;
  readonly reset: string;
  /** The cookies of an admin who is signed in, and of a guest who was blocked. */
  readonly admin: Readonly<Record<string, string>>;
  readonly blockedGuest: Readonly<Record<string, string>>;
  readonly guestId: string;
}

/** The settings of the installation, without those of its database. */
export const settings = {
  APP_KEY: "test-app-key-of-0.1.0-used-nowhere-else",
  PUSHER_APP_ID: "rollcall",
  PUSHER_APP_KEY: "test-key-of-0.1.0",
  PUSHER_APP_SECRET: "test-secret-of-0.1.0",
  COUNTED_CHANNELS: "presence-support",
  ADMIT_GUESTS: "true",
  PRESENCE_GRACE_MS: "0",
  DRAIN_MS: "0",
};

/** The app of the settings. */
export const ownApp: AppCredentials = {
  id: settings.PUSHER_APP_ID,
  key: settings.PUSHER_APP_KEY,
  secret: settings.PUSHER_APP_SECRET,
};

const webhookUrl = "http://127.0.0.1:9/webhooks";

/** The marks of the data for an engine. */
export async function marksOf({ engine }: TestDatabase): Promise<Marks> {
  return JSON.parse(await Deno.readTextFile(new URL("marks.json", folder)))[engine];
}

/**
 * Fills an empty database with the data.
 *
 * @param webhook where the webhook of the settings is now; events that wait for it name it by a digest.
 */
export async function restoreReleased(
  store: Pick<TestDatabase, "engine" | "dataFolder" | "databaseUrl">,
  webhook = webhookUrl,
): Promise<void> {
  const text = await Deno.readTextFile(new URL(`${store.engine}.sql`, folder));
  const statements = text.replaceAll(digestOf(webhookUrl), digestOf(webhook));
  if (store.databaseUrl !== undefined) return await execute(store.databaseUrl, statements);
  using database = new DatabaseSync(sqlitePath(store.dataFolder));
  database.exec(statements);
}

/** A key of Redis. */
type Kept =
  | { readonly type: "hash"; readonly value: Readonly<Record<string, string>> }
  | { readonly type: "set"; readonly value: readonly string[] }
  | { readonly type: "zset"; readonly value: readonly (readonly [string, number])[] }
  | { readonly type: "stream"; readonly value: readonly (readonly [string, readonly string[]])[] }
  | { readonly type: "string"; readonly value: string };

/**
 * Fills an empty Redis with what a server of 0.1.0 shared with others while it had users. It lives as long as its lease,
 * and is not the leader any more; of its log, the next leader has not read anything.
 */
export async function restoreShared(redis: RedisServer, leaseMs: number): Promise<void> {
  const text = await Deno.readTextFile(new URL("redis.json", folder));
  const now = Number((await redis.command("TIME")).split("\n")[0]) * 1_000;
  // Servers tell by it that Redis has not lost its data.
  const [, identity] = /master_replid:([0-9a-f]{40})/.exec(await redis.command("INFO"))!;
  const kept: Record<string, Kept> = JSON.parse(text.replace(/(?<="on )[0-9a-f]{40}/, identity));
  for (const [key, content] of Object.entries(kept)) {
    for (const words of commandsOf(key, content, now + leaseMs)) await redis.command(...words);
  }
  await redis.command("XGROUP", "CREATE", "rollcall:log", "leader", "0");
}

/** What makes a key. @param lease until when leases are, in milliseconds since 1970 */
function commandsOf(key: string, { type, value }: Kept, lease: number): string[][] {
  switch (type) {
    case "hash":
      return [["HSET", key, ...Object.entries(value).flat()]];
    case "set":
      return [["SADD", key, ...value]];
    case "zset":
      return value.map(([member]) => ["ZADD", key, String(lease), member]);
    case "stream":
      return value.map(([id, fields]) => ["XADD", key, id, ...fields]);
    case "string":
      return [];
  }
}

function digestOf(url: string): string {
  return createHash("sha256").update(url).digest("base64url");
}
