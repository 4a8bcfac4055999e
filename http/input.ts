import { HttpError } from "fresh";
import { cookieScope } from "@/server/accounts/cookie_scope.ts";
import { readGuestCookie } from "@/server/accounts/guest.ts";
import { hasSignedSession } from "@/server/accounts/session_cookie.ts";
import { servesHttps } from "@/server/config/config.ts";
import { BodyReader } from "./body_reader.ts";
import { leavesBodyUnread } from "./brief_answer.ts";
import { readCookie } from "./cookies.ts";
import { rateLimitKey } from "@/server/net/rate_limit_key.ts";
import { logOf } from "@/server/observability/logging.ts";
import { define, type State } from "./state.ts";

const log = logOf("http");

/** What pages send is far smaller, and arrives far sooner. At most 32 MiB arrive at the same time. */
const limits = {
  maxBytes: 64 * 1024,
  timeoutMs: 10_000,
  stalledMs: 2_000,
  maxBodies: 170,
  maxBodiesPerClient: 64,
};

/** Bodies of some senders never take the place of those of others. */
const bodiesOf = {
  user: new BodyReader(limits),
  guest: new BodyReader(limits),
  stranger: new BodyReader(limits),
};

/**
 * Reads the body of a request with an unsafe method into `ctx.state.input`. Its fields are texts, or in
 * JSON also numbers, booleans and null. {@link requireInput} refuses a body that cannot be parsed.
 *
 * It must come before the visitor is identified: a client can hold its body back, and must not act with
 * rights that it has lost meanwhile.
 *
 * @throws {HttpError} 408 when the body takes too long, 411 when its length is not announced.
 */
export const readInput = define.middleware(async (ctx) => {
  try {
    if (!isSafe(ctx.req.method)) {
      const bodies = bodiesOf[senderOf(ctx.state, ctx.req.headers)];
      const text = await bodies.read(ctx.req, rateLimitKey(ctx.state.clientAddress));
      ctx.state.input = inputOf(ctx.req, text);
    }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { status, message: reason } = error;
    log.info("A request body was refused", { status, reason, peer: ctx.state.clientAddress });
    if (leavesBodyUnread(error)) throw error;
    ctx.state.inputFault = error;
  }
  return await ctx.next();
});

/** Who sends a request, as far as the signatures of its cookies say: what they stand for may have ended. */
function senderOf({ appSecret, config }: State, headers: Headers): keyof typeof bodiesOf {
  const { namePrefix } = cookieScope(config.appUrl, servesHttps(config));
  if (hasSignedSession(appSecret, namePrefix, headers)) return "user";
  if (!config.admitGuests) return "stranger";
  const guest = readGuestCookie(appSecret, readCookie(headers, config, "guest"));
  return guest === null ? "stranger" : "guest";
}

/**
 * Refuses requests whose body cannot be parsed.
 *
 * @throws {HttpError} 400 when it is incomplete or malformed, 413 when it is too large, 415 when it is
 * neither a form nor JSON.
 */
export const requireInput = define.middleware((ctx) => {
  if (ctx.state.inputFault) throw ctx.state.inputFault;
  return ctx.next();
});

/** Whether a method is safe: it changes nothing (RFC 9110, 9.2.1). */
export function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

function inputOf(request: Request, text: string): Record<string, unknown> {
  if (text === "") return {};
  const type = (request.headers.get("content-type") ?? "").split(";")[0].trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded") {
    return Object.fromEntries(new URLSearchParams(text));
  }
  if (type === "application/json") return parseObject(text);
  throw new HttpError(415, "Send a form (application/x-www-form-urlencoded) or application/json.");
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HttpError(400, "The request body is not valid JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new HttpError(400, "The JSON body must be an object.");
  }
  const nested = Object.entries(value).find(([, field]) => typeof field === "object" && field);
  if (nested) throw new HttpError(400, "JSON fields can't be objects or arrays.");
  return { ...value };
}
