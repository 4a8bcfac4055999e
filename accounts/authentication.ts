import { betterAuth, type BetterAuthOptions } from "better-auth";
import { getAdapter } from "better-auth/db/adapter";
import { admin } from "better-auth/plugins";
import { sql } from "kysely";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import { cookieScope } from "./cookie_scope.ts";
import { hashSessionTokens } from "./session_token_hash.ts";
import { passwordLength } from "../shared/limits.ts";

/** Carries the peer's address to better-auth's limiter. Only requests made here have it. */
const peerHeader = "x-rollcall-peer";

/** Marks an attempt as one of a known device, for better-auth's limiter. */
const deviceHeader = "x-rollcall-device";

const basePath = "/accounts";
const signInPath = "/sign-in/email";
const sessionSeconds = 7 * 24 * 60 * 60;

/** Failed attempts of a peer; `window` seconds without an attempt restore them. */
const signInLimit = { window: 60, max: 10 };

/** The outcome of checking an email and a password. */
export type Attempt =
  | { outcome: "signed_in"; cookies: string[] }
  | { outcome: "wrong_credentials" | "disabled" }
  | { outcome: "rate_limited"; retryAfterSeconds: number };

/** Checks passwords and keeps sessions. Only this file and `session_token_hash.ts` use better-auth. */
export interface Authentication {
  /**
   * Checks a password. Takes the time of one check, whether the email is known or not.
   *
   * @param peer an IP address; its attempts are limited, unless the attempt is one of a known device.
   */
  signIn(
    credentials: { email: string; password: string },
    from: { peer: string; isKnownDevice: boolean },
  ): Promise<Attempt>;
  /** The ids of the session and its user; null when there is none or it has expired. */
  session(headers: Headers): Promise<{ id: string; userId: string } | null>;
  /** Ends the session, if there is one. @returns the Set-Cookie values that clear its cookie. */
  signOut(headers: Headers): Promise<string[]>;
  /** A salted hash: of scrypt, unless the options say otherwise. */
  hashPassword(password: string): Promise<string>;
}

const sessionSchema = z.object({
  session: z.object({ id: z.string(), userId: z.string() }),
}).nullable();
const refusalSchema = z.object({ code: z.string() });

/** How passwords are hashed. */
export interface PasswordHashing {
  /** A salted hash, which is stored. */
  hash(password: string): Promise<string>;
  verify(entered: { password: string; hash: string }): Promise<boolean>;
}

/** Options of {@link openAuthentication}; see `AccountsOptions`. */
export interface AuthenticationOptions {
  database: Database;
  secret: string;
  appUrl: URL;
  secureCookies: boolean;
  passwordHashing?: PasswordHashing;
  reported?: (report: string, error?: Error) => void;
}

/**
 * Opens authentication on a database that is migrated.
 *
 * @throws {Error} when its tables do not match what better-auth needs.
 */
export async function openAuthentication(options: AuthenticationOptions): Promise<Authentication> {
  const auth = await configure(options);
  await (await auth.$context).checkSchema?.();
  const { origin } = options.appUrl;
  return {
    async signIn(credentials, { peer, isKnownDevice }) {
      const headers = {
        "content-type": "application/json",
        origin,
        [peerHeader]: peer,
        ...(isKnownDevice && { [deviceHeader]: "known" }),
      };
      const body = JSON.stringify(credentials);
      const url = new URL(basePath + signInPath, origin);
      const { queries } = options.database;
      await deleteExpired(queries);
      const request = new Request(url, { method: "POST", headers, body });
      const result = await attempt(await auth.handler(request));
      if (result.outcome === "signed_in" && !isKnownDevice) await returnAttempt(queries, peer);
      return result;
    },

    async session(headers) {
      const found = sessionSchema.parse(await auth.api.getSession({ headers: cookiesOf(headers) }));
      return found && { id: found.session.id, userId: found.session.userId };
    },

    async signOut(headers) {
      const response = await auth.api.signOut({ headers: cookiesOf(headers), asResponse: true });
      return response.headers.getSetCookie();
    },

    async hashPassword(password) {
      return await (await auth.$context).password.hash(password);
    },
  };
}

async function configure(
  { database, secret, appUrl, secureCookies, passwordHashing, reported = () => {} }:
    AuthenticationOptions,
) {
  const { path, namePrefix } = cookieScope(appUrl, secureCookies);
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
    session: { expiresIn: sessionSeconds, disableSessionRefresh: true },
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
    plugins: [admin()],
  } satisfies BetterAuthOptions;
  const connection = { db: database.queries, type: database.engine, transaction: true };
  const adapter = hashSessionTokens(await getAdapter({ ...options, database: connection }));
  return betterAuth({ ...options, database: () => adapter });
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
  const { code } = refusalSchema.parse(await response.json());
  if (code === "INVALID_EMAIL_OR_PASSWORD") return { outcome: "wrong_credentials" };
  if (code === "BANNED_USER") return { outcome: "disabled" };
  throw new Error(`Unexpected answer to a sign-in: ${response.status} ${code}`);
}

/**
 * Gives a peer a successful attempt back, so that people behind one address do not use up each other's.
 * Only that one: signing in to an account of one's own must not restore guesses at others.
 */
async function returnAttempt(queries: Database["queries"], peer: string): Promise<void> {
  await queries.updateTable("rateLimit").set({ count: sql`"count" - 1` })
    .where("key", "=", `${peer}|${signInPath}`).where("count", ">", 0).execute();
}

/** Deletes expired rows, which strangers could otherwise pile up. */
async function deleteExpired(queries: Database["queries"]): Promise<void> {
  const now = Date.now();
  await queries.deleteFrom("rateLimit").where("lastRequest", "<=", now - signInLimit.window * 1000)
    .execute();
  await queries.deleteFrom("session").where("expiresAt", "<=", new Date(now)).execute();
}

/** Only the cookies of a client's request reach better-auth. */
function cookiesOf(headers: Headers): Headers {
  const cookie = headers.get("cookie");
  return new Headers(cookie === null ? {} : { cookie });
}
