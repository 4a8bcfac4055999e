import { STATUS_CODE } from "@std/http/status";
import { pathOf } from "@/shared/address.ts";
import type { Failure } from "@/server/accounts/accounts.ts";
import { HttpError } from "fresh";
import { brokenOff } from "@/server/net/broken_off.ts";
import { BusyError } from "@/server/net/window_limits.ts";
import { text } from "@/shared/language.ts";

/** The JSON that a refused request is answered with. */
export interface Rejection {
  /** A stable code for programs, such as `csrf_token_mismatch`. */
  reason: string;
  /** A sentence for people. */
  message: string;
}

/** Answers with a refusal as JSON. pusher-js passes status and body to the page's error handler. */
export function refuse(status: number, reason: string, message: string): Response {
  return Response.json({ reason, message } satisfies Rejection, { status });
}

/** Whether the client wants JSON rather than a page. */
export function wantsJson(request: Request): boolean {
  if (pathOf(new URL(request.url)).startsWith("/broadcasting/")) return true;
  const accept = request.headers.get("accept") ?? "";
  if (accept.includes("text/html")) return false;
  return accept.includes("application/json") ||
    request.headers.get("x-requested-with") === "XMLHttpRequest";
}

/** The status that Laravel uses for a missing or wrong CSRF token; no standard defines one. */
export const pageExpired = 419;

/** A request has no CSRF token, or one of another browser or session. */
export class ExpiredPageError extends Error {
  override name = "ExpiredPageError";
  constructor(readonly reason: "csrf_token_missing" | "csrf_token_mismatch") {
    super(text`Reload the page and try again.`);
  }
}

/** What is answered for an address without a page. */
export function missingPageText(): string {
  return text`This page doesn't exist.`;
}

function rejectionOf(status: number): Rejection {
  switch (status) {
    case STATUS_CODE.BadRequest:
      return { reason: "bad_request", message: text`Bad request.` };
    case STATUS_CODE.Forbidden:
      return { reason: "forbidden", message: text`Access denied.` };
    case STATUS_CODE.NotFound:
      return { reason: "not_found", message: missingPageText() };
    case STATUS_CODE.MethodNotAllowed:
      return { reason: "method_not_allowed", message: text`Method not allowed.` };
    case STATUS_CODE.RequestTimeout:
      return { reason: "timeout", message: text`The request took too long.` };
    case STATUS_CODE.LengthRequired:
      return { reason: "length_required", message: text`Content-Length required.` };
    case STATUS_CODE.ContentTooLarge:
      return { reason: "too_large", message: text`The request is too large.` };
    case STATUS_CODE.ServiceUnavailable:
      return { reason: "busy", message: text`The server is busy.` };
    case STATUS_CODE.UnsupportedMediaType:
      return { reason: "unsupported_media_type", message: text`Unsupported content type.` };
    default:
      return serverError();
  }
}

/** The rejection of a request that failed inside the server. It reveals nothing of the error. */
export function serverError(): Rejection {
  return {
    reason: "server_error",
    message: text`Something went wrong on our end. The error was logged.`,
  };
}

/** The rejection of a request that needs the database while that cannot be used. */
export function databaseUnavailable(): Rejection {
  return {
    reason: "database_unavailable",
    message: text`The database is not available right now. Try again in a few seconds.`,
  };
}

/** The rejection for a status, with the message of the error if that has one. */
export function rejectionFor(status: number, message: string): Rejection {
  const byStatus = rejectionOf(status);
  return { reason: byStatus.reason, message: message || byStatus.message };
}

/** What a blocked guest reads. */
export function blockedText(): string {
  return text`An admin blocked guest access for this browser. Sign in with an account to continue.`;
}

/** The status and headers of the answer to a change that was refused. */
export function refusedChange(
  { reason, retryAfterSeconds }: Failure,
): { status: number; headers?: Record<string, string> } {
  if (reason === "rate_limited") {
    const headers = { "retry-after": String(retryAfterSeconds ?? 60) };
    return { status: STATUS_CODE.TooManyRequests, headers };
  }
  const isMissing = reason === "unknown_link" || reason === "not_found";
  return { status: isMissing ? STATUS_CODE.NotFound : STATUS_CODE.UnprocessableEntity };
}

/** The answer to a program whose change was refused; null for a browser, which gets a page. */
export function rejectionForProgram(request: Request, refusal: Failure): Response | null {
  if (!wantsJson(request)) return null;
  const { status, headers } = refusedChange(refusal);
  const response = refuse(status, refusal.reason, refusal.message);
  for (const [name, value] of Object.entries(headers ?? {})) response.headers.set(name, value);
  return response;
}

/**
 * Answers some errors with their sentence alone: for requests that no page sends, and for a
 * server that is busy. To render a page for many of them would keep it so.
 *
 * @returns null for other errors.
 */
export function briefAnswer(request: Request, error: unknown): Response | null {
  if (error instanceof BusyError) {
    const response = sentence(request, STATUS_CODE.ServiceUnavailable, error.message);
    response.headers.set("retry-after", String(error.retryAfterSeconds));
    return response;
  }
  if (!leavesBodyUnread(error)) return null;
  const { body, headers } = sentence(request, error.status, error.message);
  return new Response(body && brokenOff(body), { status: error.status, headers });
}

/** Whether the request has a body that is not read to its end, and may have none. */
export function leavesBodyUnread(error: unknown): error is HttpError {
  return error instanceof HttpError && unreadStatuses.has(error.status);
}

const unreadStatuses = new Set<number>([STATUS_CODE.RequestTimeout, STATUS_CODE.LengthRequired]);

function sentence(request: Request, status: number, message: string): Response {
  const refusal = rejectionFor(status, message);
  return wantsJson(request)
    ? Response.json(refusal, { status })
    : new Response(`${refusal.message}\n`, { status });
}
