import type { Kysely } from "kysely";
import { z } from "zod";
import { isLinkId, newLinkToken, tokenHashOf } from "../accounts/link_token.ts";
import type { Database } from "../database/database.ts";
import type { InTransaction, Tables } from "../database/schema.ts";
import { type ApiScope, apiScopes, apiTokenPrefix } from "@/shared/api.ts";
import { mostApiTokens } from "@/shared/limits.ts";
import { reader, text } from "@/shared/language.ts";
import type { Limit } from "@/shared/permissions.ts";

/** How often the last use is stored, in ms. */
const useEveryMs = 60_000;

/** What a token is limited to, as accounts are. */
export type ApiTokenLimits = Limit;

/** A token with which another program reads who is online. Times are in ms since 1970. */
export interface ApiToken extends ApiTokenLimits {
  id: string;
  name: string;
  scope: ApiScope;
  createdAt: number;
  /** The id of the admin, or of the command line. */
  createdBy: string;
  /** To the minute. */
  lastUsedAt: number | null;
}

/** What is chosen of a new token. */
export interface ApiTokenInput extends ApiTokenLimits {
  name: string;
  scope: string;
  createdBy: string;
}

/** A new token with its text, which is not stored and cannot be shown again, or why none was made. */
export type NewApiToken =
  | { ok: true; token: ApiToken; text: string }
  | { ok: false; reason: "invalid" | "too_many"; field: "name" | "scope"; message: string };

/** What the admin log keeps of a new token. */
export function apiTokenDetails(
  { scope, app, channel }: { scope: string } & ApiTokenLimits,
): Record<string, string> {
  return { scope, ...app !== null && { app }, ...channel !== null && { channel } };
}

const nameSchema = z.string().trim().min(1, { error: () => text`Enter a name.` })
  .max(100, { error: () => text`At most ${100} characters` })
  .refine((name) => !/\p{Cc}|\p{Cs}|\p{Bidi_Control}/u.test(name), {
    error: () => text`Remove control characters.`,
  });

const inputSchema = z.object({
  name: nameSchema,
  scope: z.enum(apiScopes, {
    error: () => {
      const format = new Intl.ListFormat(reader.language?.tag ?? "en", { type: "disjunction" });
      return text`Choose ${format.format(apiScopes)}.`;
    },
  }),
});

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  // A later release may have stored another one: then it allows the least.
  scope: z.enum(apiScopes).catch("count"),
  app: z.string().nullable(),
  channel: z.string().nullable(),
  createdAt: z.number(),
  createdBy: z.string(),
  lastUsedAt: z.number().nullable(),
});

/**
 * The tokens of the API. A token is looked up in the database for each request, as wallboards' are: so it is
 * revoked at once on all servers and workers, from whichever of them or from the command line.
 */
export class ApiTokens {
  readonly #database: Database;
  readonly #now: () => number;
  /** When a use was stored last, or could not be, by token: a database that cannot be written is not asked each time. */
  readonly #stored = new Map<string, number>();
  readonly #onRevoked: ((id: string) => void)[] = [];

  /** @param now in ms since 1970. */
  constructor(database: Database, now: () => number = Date.now) {
    this.#database = database;
    this.#now = now;
  }

  /** Makes a token. Refused when the name or scope is invalid, or there are as many as allowed. */
  async create(input: ApiTokenInput, inTransaction: InTransaction<ApiToken>): Promise<NewApiToken> {
    const read = inputSchema.safeParse(input);
    if (!read.success) {
      const [{ path, message }] = read.error.issues;
      const field = path[0] === "scope" ? "scope" : "name";
      return { ok: false, reason: "invalid", field, message };
    }
    const { app, channel, createdBy } = input;
    const { id, token: secret, tokenHash } = newLinkToken();
    const createdAt = this.#now();
    const token = { id, ...read.data, app, channel, createdAt, createdBy, lastUsedAt: null };
    return await this.#database.exclusively(async (transaction) => {
      if (await count(transaction) >= mostApiTokens) {
        const message = text`You've reached ${mostApiTokens} tokens. Revoke one first.`;
        return { ok: false, reason: "too_many", field: "name", message };
      }
      await transaction.insertInto("apiToken").values({ ...token, tokenHash }).execute();
      await inTransaction(transaction, token);
      return { ok: true, token, text: apiTokenPrefix + secret };
    });
  }

  /** All tokens, newest first. */
  async list(): Promise<ApiToken[]> {
    const rows = await this.#database.queries.selectFrom("apiToken").selectAll()
      .orderBy("createdAt", "desc").orderBy("id").execute();
    return rows.map((row) => rowSchema.parse(row));
  }

  /** The token with an id; null when there is none. */
  async find(id: string): Promise<ApiToken | null> {
    if (!isLinkId(id)) return null;
    const row = await this.#database.queries.selectFrom("apiToken").selectAll()
      .where("id", "=", id).executeTakeFirst();
    return row ? rowSchema.parse(row) : null;
  }

  /** Revokes a token, which is then unknown. @returns null when no token has this id. */
  async revoke(id: string, inTransaction: InTransaction<ApiToken>): Promise<ApiToken | null> {
    return await this.#database.exclusively(async (transaction) => {
      const row = await transaction.deleteFrom("apiToken").where("id", "=", id)
        .returningAll().executeTakeFirst();
      if (!row) return null;
      const token = rowSchema.parse(row);
      await inTransaction(transaction, token);
      return token;
    }).then((token) => {
      if (token) { for (const revoked of this.#onRevoked) revoked(token.id); }
      return token;
    });
  }

  /** Calls back when this process has revoked a token. */
  onRevoked(revoked: (id: string) => void): void {
    this.#onRevoked.push(revoked);
  }

  /** The token with a text; null when there is none. Stores that it was used, once a minute. */
  async used(text: string): Promise<ApiToken | null> {
    const tokenHash = hashOf(text);
    if (tokenHash === null) return null;
    const row = await this.#database.queries.selectFrom("apiToken").selectAll()
      .where("tokenHash", "=", tokenHash).executeTakeFirst();
    if (!row) return null;
    const token = rowSchema.parse(row);
    await this.#store(token);
    return token;
  }

  /** An answer is given, whether the use can be stored or not. */
  async #store({ id, lastUsedAt }: ApiToken): Promise<void> {
    const now = this.#now();
    if (now - Math.max(lastUsedAt ?? 0, this.#stored.get(id) ?? 0) < useEveryMs) return;
    this.#stored.delete(id);
    this.#stored.set(id, now);
    const [oldest] = this.#stored.keys();
    if (this.#stored.size > mostApiTokens) this.#stored.delete(oldest);
    await this.#database.queries.updateTable("apiToken").set({ lastUsedAt: now })
      .where("id", "=", id).execute().catch(() => {});
  }
}

async function count(transaction: Kysely<Tables>): Promise<number> {
  return (await transaction.selectFrom("apiToken").select("id").execute()).length;
}

function hashOf(text: string): string | null {
  if (!text.startsWith(apiTokenPrefix)) return null;
  return tokenHashOf(text.slice(apiTokenPrefix.length));
}
