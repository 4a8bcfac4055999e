import { betterAuth, type BetterAuthOptions, type BetterAuthPlugin } from "better-auth";
import { getAdapter } from "better-auth/db/adapter";
import { APIError, createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { admin } from "better-auth/plugins";
import { sql } from "kysely";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { AccountsOptions } from "./accounts.ts";
import { cookieScope } from "./csrf_token.ts";
import { hashSessionTokens } from "./digest.ts";
import { hasSecondFactor } from "./second_factor_rows.ts";
import { passwordLength } from "@/shared/limits.ts";

/** Carries the peer's address to better-auth's limiter. Only requests made here have it. */
const peerHeader = "x-rollcall-peer";

/** Marks an attempt as one of a known device, for better-auth's limiter. */
const deviceHeader = "x-rollcall-device";

const basePath = "/accounts";
/** The answer to a right password that is not enough. */
const secondFactorCode = "SECOND_FACTOR_NEEDED";
const signInPath = "/sign-in/email";
/** What is kept of a browser's own description, in UTF-16 units. */
const longestUserAgent = 300;

/** How long a session lasts. */
export const sessionSeconds = 7 * 24 * 60 * 60;

/** Failed attempts of a peer; `window` seconds without an attempt restore them. */
export const signInLimit = { window: 60, max: 10 };

/** Expired rows of a table that one sign-in deletes: the embedded database works in the event loop. */
const deletedAtOnce = 200;

/** The outcome of checking an email and a password. */
export type Attempt =
  | { outcome: "signed_in"; cookies: string[] }
  | { outcome: "wrong_credentials" }
  | { outcome: "disabled" }
  | { outcome: "second_factor"; userId: string }
  | { outcome: "rate_limited"; retryAfterSeconds: number };

/** Checks passwords and keeps sessions. Only this file and `digest.ts` use better-auth. */
export interface Authentication {
  /**
   * Checks a password. Takes the time of one check, whether the email is known or not.
   *
   * @param peer an IP address; its attempts are limited, unless the attempt is one of a known device.
   */
  signIn(
    credentials: { email: string; password: string },
    from: { peer: string; isKnownDevice: boolean; userAgent?: string },
  ): Promise<Attempt>;
  /**
   * Opens a session for a user whom another than this server has identified.
   *
   * @param from `seconds`: how long it lasts; 7 days unless said otherwise.
   * @returns complete Set-Cookie values; null when the user is disabled or does not exist.
   */
  startSession(
    userId: string,
    from: { peer: string; userAgent?: string; seconds?: number; vouchedBy: Voucher },
  ): Promise<string[] | null>;
  /** How many attempts a peer has left until it has to wait. */
  attemptsLeft(peer: string): Promise<number>;
  /** The ids of the session and its user, and when it was seen; null when there is none. */
  session(headers: Headers): Promise<SeenSession | null>;
  /** Ends the session, if there is one. @returns the Set-Cookie values that clear its cookie. */
  signOut(headers: Headers): Promise<string[]>;
  /** A salted hash: of scrypt, unless the options say otherwise. */
  hashPassword(password: string): Promise<string>;
  /** Whether a hash belongs to a password. */
  verifyPassword(password: string, hash: string): Promise<boolean>;
}

/** A session that has not expired. */
export interface SeenSession {
  id: string;
  userId: string;
  /** When a use of it was last stored. */
  updatedAt: Date;
}

/** Who knows the person of a session, besides a password. */
export type Voucher = "provider" | "second_factor";

const sessionSchema = z.object({
  session: z.object({
    id: z.string(),
    userId: z.string(),
    updatedAt: z.coerce.date(),
  }),
}).nullable();
const refusalSchema = z.object({ code: z.string(), userId: z.string().optional() });

/** How passwords are hashed. */
export interface PasswordHashing {
  /** A salted hash, which is stored. */
  hash(password: string): Promise<string>;
  verify(entered: { password: string; hash: string }): Promise<boolean>;
}

/**
 * Opens authentication on a database that is migrated.
 *
 * @throws {Error} when its tables do not match what better-auth needs.
 */
export async function openAuthentication(options: AccountsOptions): Promise<Authentication> {
  const auth = await configure(options);
  await (await auth.$context).checkSchema?.();
  const { origin } = options.appUrl;
  return {
    async signIn(credentials, { peer, isKnownDevice, userAgent = "" }) {
      const headers = {
        "content-type": "application/json",
        origin,
        [peerHeader]: peer,
        "user-agent": userAgent.slice(0, longestUserAgent),
        ...(isKnownDevice && { [deviceHeader]: "known" }),
      };
      const body = JSON.stringify(credentials);
      const url = new URL(basePath + signInPath, origin);
      const { queries } = options.database;
      await deleteExpired(queries);
      const request = new Request(url, { method: "POST", headers, body });
      const result = await attempt(await auth.handler(request));
      const isRight = result.outcome === "signed_in" || result.outcome === "second_factor";
      if (isRight && !isKnownDevice) await returnAttempt(queries, peer);
      return result;
    },

    async startSession(
      userId,
      { peer, userAgent = "", seconds = sessionSeconds, vouchedBy },
    ) {
      await deleteExpired(options.database.queries);
      const response = await auth.api.startSession({
        body: { userId, seconds, vouchedBy },
        headers: { [peerHeader]: peer, "user-agent": userAgent.slice(0, longestUserAgent) },
        asResponse: true,
      });
      await response.body?.cancel();
      return response.ok ? response.headers.getSetCookie() : null;
    },

    async session(headers) {
      const current = sessionSchema.parse(
        await auth.api.getSession({ headers: cookiesOf(headers) }),
      );
      return current && current.session;
    },

    async signOut(headers) {
      const response = await auth.api.signOut({ headers: cookiesOf(headers), asResponse: true });
      return response.headers.getSetCookie();
    },

    async attemptsLeft(peer) {
      const row = await options.database.queries.selectFrom("rateLimit").select("count")
        .where("key", "=", limitKey(peer)).executeTakeFirst();
      return Math.max(0, signInLimit.max - (row?.count ?? 0));
    },

    async verifyPassword(password, hash) {
      return await (await auth.$context).password.verify({ password, hash });
    },

    async hashPassword(password) {
      return await (await auth.$context).password.hash(password);
    },
  };
}

async function configure(
  {
    database,
    secret,
    appUrl,
    secureCookies,
    passwordHashing,
    requiresSecondFactor = false,
    reported = () => {},
  }: AccountsOptions,
) {
  const { path, namePrefix } = cookieScope(appUrl, secureCookies);
  /** Opens no session for a right password where a second factor is needed. */
  async function onlyPassword({ userId }: { userId: string }, context: { path?: string } | null) {
    if (context?.path !== signInPath) return;
    if (!requiresSecondFactor && !await hasSecondFactor(database.queries, userId)) return;
    throw new APIError("FORBIDDEN", { code: secondFactorCode, message: "Not signed in", userId });
  }
  const options = {
    appName: "Rollcall",
    baseURL: appUrl.origin,
    basePath,
    secret,
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      password: passwordHashing,
      minPasswordLength: passwordLength.minimum,
      maxPasswordLength: passwordLength.maximum,
    },
    // Only sign-in sets the cookie, so a session ends a fixed time after it.
    session: {
      expiresIn: sessionSeconds,
      disableSessionRefresh: true,
      additionalFields: { vouchedBy: { type: "string", required: false, input: false } },
    },
    databaseHooks: { session: { create: { before: onlyPassword } } },
    rateLimit: {
      enabled: true,
      storage: "database",
      customRules: {
        [signInPath]: (request) => request.headers.has(deviceHeader) ? false : signInLimit,
      },
    },
    // A failure is thrown as it is, instead of becoming an answer with status 500.
    onAPIError: { throw: true },
    advanced: {
      cookiePrefix: namePrefix,
      defaultCookieAttributes: { path, secure: secureCookies },
      // It would put "__Secure-" before every name, even one that begins with "__Host-".
      useSecureCookies: false,
      ipAddress: { ipAddressHeaders: [peerHeader] },
    },
    telemetry: { enabled: false },
    // Tracing imports a package during a request, and Deno runs everything after an import in that
    // request's asynchronous context, and so in its transaction.
    experimental: { instrumentation: { enabled: false } },
    // Details of a report can be an email, so only errors are passed on.
    logger: {
      level: "error",
      log: (_level, message, ...details) =>
        reported(message, details.find((detail) => detail instanceof Error)),
    },
    plugins: [admin(), identifiedElsewhere],
  } satisfies BetterAuthOptions;
  const connection = { db: database.queries, type: database.engine, transaction: true };
  const adapter = hashSessionTokens(await getAdapter({ ...options, database: connection }));
  return betterAuth({ ...options, database: () => adapter });
}

/** Opens sessions without a password. Its endpoint has no path, so that only this file can call it. */
const identifiedElsewhere = {
  id: "identified-elsewhere",
  endpoints: {
    startSession: createAuthEndpoint(
      {
        method: "POST",
        body: z.object({
          userId: z.string(),
          seconds: z.number().positive(),
          vouchedBy: z.enum(["provider", "second_factor"]),
        }),
      },
      async (ctx) => {
        const { userId, seconds, vouchedBy } = ctx.body;
        const { internalAdapter } = ctx.context;
        const user = await internalAdapter.findUserById(userId);
        if (!user || "banned" in user && user.banned) throw ctx.error("FORBIDDEN");
        const expiresAt = new Date(Date.now() + seconds * 1_000);
        const more = { expiresAt, vouchedBy };
        const session = await internalAdapter.createSession(userId, false, more, true);
        await setSessionCookie(ctx, { session, user }, false, { maxAge: seconds });
        return ctx.json({});
      },
    ),
  },
} satisfies BetterAuthPlugin;

/** How better-auth names the attempts of a peer. */
function limitKey(peer: string): string {
  return `${peer}|${signInPath}`;
}

async function attempt(response: Response): Promise<Attempt> {
  if (response.status === 429) {
    await response.body?.cancel();
    const retryAfterSeconds = Number(response.headers.get("x-retry-after")) || signInLimit.window;
    return { outcome: "rate_limited", retryAfterSeconds };
  }
  if (response.ok) {
    await response.body?.cancel();
    return { outcome: "signed_in", cookies: response.headers.getSetCookie() };
  }
  const { code, userId } = refusalSchema.parse(await response.json());
  if (code === "INVALID_EMAIL_OR_PASSWORD") return { outcome: "wrong_credentials" };
  if (code === "BANNED_USER") return { outcome: "disabled" };
  if (code === secondFactorCode && userId) return { outcome: "second_factor", userId };
  throw new Error(`Unexpected answer to a sign-in: ${response.status} ${code}`);
}

/**
 * Gives a peer a successful attempt back, so that people behind one address do not use up each other's.
 * Only that one: signing in to an account of one's own must not restore guesses at others.
 */
async function returnAttempt(queries: Database["queries"], peer: string): Promise<void> {
  await queries.updateTable("rateLimit").set({ count: sql`"count" - 1` })
    .where("key", "=", limitKey(peer)).where("count", ">", 0).execute();
}

/** Deletes some of the expired rows, which strangers could otherwise pile up: each sign-in adds fewer. */
async function deleteExpired(queries: Database["queries"]): Promise<void> {
  const now = Date.now();
  const limits = queries.selectFrom("rateLimit").select("id")
    .where("lastRequest", "<=", now - signInLimit.window * 1000).limit(deletedAtOnce);
  await queries.deleteFrom("rateLimit").where("id", "in", limits).execute();
  const sessions = queries.selectFrom("session").select("id")
    .where("expiresAt", "<=", new Date(now)).limit(deletedAtOnce);
  await queries.deleteFrom("session").where("id", "in", sessions).execute();
}

/** Only the cookies of a client's request reach better-auth. */
function cookiesOf(headers: Headers): Headers {
  const cookie = headers.get("cookie");
  return new Headers(cookie === null ? {} : { cookie });
}
