import { Buffer } from "node:buffer";
import { createHash, createHmac, randomBytes } from "node:crypto";
import type { DBAdapter, DBTransactionAdapter, Where } from "better-auth/adapters";
import { z } from "zod";
import { isSameText } from "@/realtime/protocol/signature.ts";

/** The SHA-256 of a text, in base64url. Not for passwords. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/**
 * The HMAC-SHA-256 of `parts`, in base64url. A signature for one `purpose` is not valid for another, and
 * the parts are separated, so that ("a", "bc") differs from ("ab", "c").
 */
export function sign(secret: string, purpose: string, ...parts: string[]): string {
  return createHmac("sha256", secret).update(JSON.stringify([purpose, ...parts]))
    .digest("base64url");
}

/** What a browser brings back, at most: a cookie has no more. */
const longestSealed = 4_000;

/**
 * A value that a browser keeps or brings back, for any server of the installation. It is signed for a purpose and for
 * what it is bound to, and no secret: the browser can read it.
 */
export function seal(
  secret: string,
  purpose: string,
  value: Readonly<Record<string, string | number>>,
  ...bound: string[]
): string {
  const content = Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${content}.${sign(secret, purpose, ...bound, content)}`;
}

/** The value of {@link seal}; null for a text that is none of this purpose, or bound to something else. */
export function unseal<Value>(
  secret: string,
  purpose: string,
  schema: z.ZodType<Value>,
  sealed: string,
  ...bound: string[]
): Value | null {
  if (sealed.length > longestSealed) return null;
  const [content, signature = ""] = sealed.split(".");
  if (!isSameText(signature, sign(secret, purpose, ...bound, content))) return null;
  return schema.parse(JSON.parse(Buffer.from(content, "base64url").toString()));
}

/** 128 bits in base64url. */
const idLength = 22;

/** An id that cannot be guessed. */
export function newUnguessableId(): string {
  return randomBytes(16).toString("base64url");
}

/**
 * Tokens of one purpose: an id of {@link newUnguessableId} and its signature. A wrong one is refused without a
 * look-up, and a right one can be shown again at any time.
 */
export class SignedIds {
  constructor(readonly purpose: string) {}

  /** The token of an id. */
  tokenOf(secret: string, id: string): string {
    return id + sign(secret, this.purpose, id);
  }

  /** The id in a token; null when it is not signed for this purpose with the secret. */
  idIn(secret: string, token: string): string | null {
    const id = token.slice(0, idLength);
    return isSameText(token.slice(idLength), sign(secret, this.purpose, id)) ? id : null;
  }
}

/**
 * Makes the database hold the SHA-256 of each session's token instead of the token, so that no one can
 * sign in with what a backup or replica contains. A token has 32 random letters and digits, so a plain
 * hash is enough.
 *
 * A session that is created or found by its token has the token, one found otherwise has the hash.
 */
export function hashSessionTokens(adapter: DBAdapter): DBAdapter {
  const { transaction } = adapter;
  // Changed in place: better-auth ties its check of the tables to this object.
  hashTokensOf(adapter);
  adapter.transaction = (work) => transaction((inner) => work(hashTokensOf(inner)));
  return adapter;
}

function hashTokensOf<Adapter extends DBTransactionAdapter>(adapter: Adapter): Adapter {
  const { create, findOne, findMany, count, update, updateMany, deleteMany, consumeOne } = adapter;
  const { delete: deleteOne, incrementOne } = adapter;
  const changed: DBTransactionAdapter = {
    ...adapter,
    async create<T extends Record<string, unknown>, R = T>(query: CreateQuery<T>): Promise<R> {
      if (query.model !== "session") return await create<T, R>(query);
      const { token } = tokenSchema.parse(query.data);
      const data = { ...query.data, token: digest(token) };
      return { ...await create<T, R>({ ...query, data }), token };
    },
    findOne: async <T>(query: Parameters<typeof findOne>[0]) =>
      withToken(await findOne<T>(hashed(query)), query),
    findMany: <T>(query: Parameters<typeof findMany>[0]) => findMany<T>(hashed(query)),
    count: (query) => count(hashed(query)),
    update: async <T>(query: Parameters<typeof update>[0]) =>
      withToken(await update<T>(hashed(query)), query),
    updateMany: (query) => updateMany(hashed(query)),
    delete: (query) => deleteOne(hashed(query)),
    deleteMany: (query) => deleteMany(hashed(query)),
    consumeOne: async <T>(query: Parameters<typeof consumeOne>[0]) =>
      withToken(await consumeOne<T>(hashed(query)), query),
    incrementOne: async <T>(query: Parameters<typeof incrementOne>[0]) =>
      withToken(await incrementOne<T>(hashed(query)), query),
  };
  return Object.assign(adapter, changed);
}

const tokenSchema = z.object({ token: z.string().min(32) });

type CreateQuery<T> = { model: string; data: Omit<T, "id">; select?: string[] };

interface Query {
  model: string;
  where?: Where[];
}

function hashed<Q extends Query>(query: Q): Q {
  if (query.model !== "session") return query;
  return {
    ...query,
    where: query.where?.map((condition) =>
      condition.field === "token"
        ? { ...condition, value: hashOfValue(condition.value) }
        : condition
    ),
  };
}

function hashOfValue(value: Where["value"]): Where["value"] {
  if (Array.isArray(value)) return value.map((token) => digest(String(token)));
  return digest(String(value));
}

function withToken<T>(row: T | null, query: Query): T | null {
  if (query.model !== "session" || row === null) return row;
  const token = query.where?.find(({ field }) => field === "token")?.value;
  return typeof token === "string" ? { ...row, token } : row;
}
