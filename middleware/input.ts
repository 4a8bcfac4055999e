import { HttpError } from "fresh";
import { BodyReader } from "../http/body_reader.ts";
import { leavesBodyUnread } from "../http/brief_answer.ts";
import { rateLimitKey } from "../network/rate_limit_key.ts";
import { define } from "../state.ts";

/** What pages send is far smaller, and arrives far sooner. At most 32 MiB arrive at the same time. */
const bodies = new BodyReader({
  maxBytes: 64 * 1024,
  timeoutMs: 10_000,
  maxBodies: 512,
  maxBodiesPerClient: 64,
});

/**
 * Reads the body of a request with an unsafe method into `ctx.state.input`. Its fields are texts, or in
 * JSON also numbers, booleans and null. {@link requireInput} refuses a body that cannot be parsed.
 *
 * It must come before the visitor is identified: a client can hold its body back, and must not act with
 * rights that it has lost meanwhile.
 *
 * @throws {HttpError} 408 when the body takes too long, 411 when its length is not announced.
 * @throws {BusyError} when too many bodies are arriving.
 */
export const readInput = define.middleware(async (ctx) => {
  try {
    ctx.state.input = isSafe(ctx.req.method)
      ? {}
      : inputOf(ctx.req, await bodies.read(ctx.req, rateLimitKey(ctx.state.clientAddress)));
  } catch (error) {
    if (!(error instanceof HttpError) || leavesBodyUnread(error)) throw error;
    ctx.state.inputFault = error;
  }
  return await ctx.next();
});

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
