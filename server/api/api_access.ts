/**
 * Who may call the API, and what is refused, in one form of error.
 *
 * `api_tokens.ts` has the tokens. {@link ApiAccess.authorize} gives the token of a request, or throws the
 * {@link ApiError} of the answer; {@link countedFor} the channel that a call is about. `api_calls.ts` lists the
 * calls, with the schemas that check them and that their description is made of, and the scope each needs;
 * `http/api_requests.ts` answers them, apart from sessions and cookies.
 *
 * The promises: nothing is answered without a token that works at that moment, on any server. No answer has a
 * field that its scope does not allow, nor lets a caller find one out by a filter. A token reads its own app
 * and channel only: others do not exist for it. Strangers make nothing grow: wrong tokens are counted per
 * address, and no body is read before the token is known.
 *
 * The trade-off: a request costs a look-up in the database, as `/up` does, so that a revoked token needs no
 * message to other servers. Each server limits a token by itself.
 *
 * @module
 */
import type { Database } from "../database/database.ts";
import { LinkLookup } from "../accounts/link_token.ts";
import type { CountedChannel } from "../live_view/counted_channel.ts";
import { ConcurrencyLimit, WindowLimit } from "../net/window_limits.ts";
import { type ApiToken, type ApiTokenLimits, ApiTokens } from "./api_tokens.ts";
import { allows, type ApiScope } from "@/shared/api.ts";
import { isWithin } from "@/shared/permissions.ts";

/** What programs tell the errors apart by. Only append: callers know them. */
export type ApiErrorCode =
  | "invalid_token"
  | "scope_too_small"
  | "invalid_request"
  | "unknown_call"
  | "unknown_channel"
  | "method_not_allowed"
  | "too_many_requests"
  | "body_refused"
  | "unavailable"
  | "server_error"
  | "unknown_person"
  | "unreachable";

/** The body of every answer that is an error. */
export interface ApiErrorBody {
  error: { code: ApiErrorCode; message: string };
}

/** A call that is refused, or cannot be answered. */
export class ApiError extends Error {
  override name = "ApiError";

  /** @param message a sentence for people, without secrets. */
  constructor(
    readonly status: number,
    readonly code: ApiErrorCode,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }

  /** The answer to the request, in the one form that all errors of the API have. */
  response(): Response {
    const { code, headers, message, status } = this;
    return Response.json({ error: { code, message } } satisfies ApiErrorBody, { status, headers });
  }
}

/** A parameter or field is invalid. @param field its name */
export function invalidField(field: string, message: string): ApiError {
  return new ApiError(400, "invalid_request", `${field}: ${message}`);
}

/** The calls of a token, on each server: ten a second. */
export const apiCalls = { most: 600, windowMs: 60_000 };

/** Tokens that call at the same time: an answer can wait for other servers. */
export const apiCallsAtOnce = { max: 100, maxPerClient: 10, retryAfterSeconds: 1 };

/** Lets requests with tokens in. */
export class ApiAccess {
  readonly #tokens: ApiTokens;
  readonly #lookup: LinkLookup;
  readonly #calls: WindowLimit;
  readonly #running = new ConcurrencyLimit(apiCallsAtOnce);

  /** @param now in milliseconds from any origin. */
  constructor(tokens: ApiTokens, now: () => number = () => performance.now()) {
    this.#tokens = tokens;
    this.#lookup = new LinkLookup(now);
    this.#calls = new WindowLimit(apiCalls, now);
  }

  /**
   * The token of a request, which counts as a call of it.
   *
   * @param needed the least scope.
   * @throws {ApiError} 401 without a token that works, 403 when its scope is too small, 429 when it calls too
   * often, or its address has sent too many wrong ones.
   */
  async authorize(headers: Headers, clientAddress: string, needed: ApiScope): Promise<ApiToken> {
    const text = bearerOf(headers);
    const found = await this.#lookup.find(clientAddress, () => this.#tokens.used(text));
    if (!found.ok) {
      if (found.retryAfterSeconds !== null) throw tooMany(found.retryAfterSeconds);
      throw unauthorized(text === "");
    }
    const { link: token } = found;
    const wait = this.#calls.waitSeconds(token.id);
    if (wait !== null) throw tooMany(wait);
    this.#calls.add(token.id);
    requireScope(token, needed, "This call");
    return token;
  }

  /** Runs a call of a token, few at a time. @throws {BusyError} when there is no room for it */
  run<Value>({ id }: ApiToken, call: () => Promise<Value>): Promise<Value> {
    return this.#running.run(id, call);
  }
}

/** The API for other programs: a part of the services. */
export interface Api {
  readonly apiTokens: ApiTokens;
  /** Lets calls in. */
  readonly apiAccess: ApiAccess;
}

/** Opens the API. */
export function startApi({ database }: { database: Database }): Api {
  const apiTokens = new ApiTokens(database);
  return { apiTokens, apiAccess: new ApiAccess(apiTokens) };
}

/** The bearer token of a request (RFC 6750); empty without one. */
function bearerOf(headers: Headers): string {
  return /^Bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1] ?? "";
}

function unauthorized(isMissing: boolean): ApiError {
  const message = isMissing
    ? "Send an API token in the header Authorization: Bearer TOKEN."
    : "This API token is invalid or has been revoked.";
  return new ApiError(401, "invalid_token", message, {
    "www-authenticate": 'Bearer realm="Rollcall API"',
  });
}

function tooMany(seconds: number): ApiError {
  const message = `Too many requests. Try again in ${seconds} s.`;
  return new ApiError(429, "too_many_requests", message, { "retry-after": String(seconds) });
}

/** @param what the call or the parameter that needs the scope, at the beginning of a sentence. @throws {ApiError} 403 */
export function requireScope({ scope }: ApiToken, needed: ApiScope, what: string): void {
  if (allows(scope, needed)) return;
  const message = `${what} needs a token with the scope ${needed}; this one has ${scope}.`;
  throw new ApiError(403, "scope_too_small", message);
}

/** The counted channel that a call names. */
export interface ChannelChoice {
  /** The id of an app. */
  app?: string;
  channel?: string;
}

/**
 * The first counted channel that a token reads and a call names, in the order of the settings: the users
 * online, if neither says otherwise.
 *
 * @throws {ApiError} 404 when there is none.
 */
export function countedFor<Channel extends { appId: string; channel: string }>(
  counted: readonly Channel[],
  token: ApiTokenLimits,
  { app, channel }: ChannelChoice,
): Channel {
  const found = counted.find((one) =>
    isWithin([token], one) && (app ?? one.appId) === one.appId &&
    (channel ?? one.channel) === one.channel
  );
  if (found) return found;
  const message = "This token reads no counted channel with this app and channel.";
  throw new ApiError(404, "unknown_channel", message);
}

/** A counted channel, as answers need it. */
export type ReadChannel = Omit<CountedChannel, "alert">;
