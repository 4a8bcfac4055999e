import { STATUS_CODE } from "@std/http/status";
import { pathOf } from "@/shared/address.ts";
import type { Failure } from "@/server/accounts/accounts.ts";
import { HttpError } from "fresh";
import { brokenOff } from "@/server/net/broken_off.ts";
import { BusyError } from "@/server/net/window_limits.ts";

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
    super("Reload the page and try again.");
  }
}

const reasons: Record<number, Rejection> = {
  [STATUS_CODE.BadRequest]: { reason: "bad_request", message: "Bad request." },
  [STATUS_CODE.Forbidden]: { reason: "forbidden", message: "Access denied." },
  [STATUS_CODE.NotFound]: { reason: "not_found", message: "This page doesn't exist." },
  [STATUS_CODE.MethodNotAllowed]: {
    reason: "method_not_allowed",
    message: "Method not allowed.",
  },
  [STATUS_CODE.RequestTimeout]: { reason: "timeout", message: "The request took too long." },
  [STATUS_CODE.LengthRequired]: { reason: "length_required", message: "Content-Length required." },
  [STATUS_CODE.ContentTooLarge]: { reason: "too_large", message: "The request is too large." },
  [STATUS_CODE.ServiceUnavailable]: { reason: "busy", message: "The server is busy." },
  [STATUS_CODE.UnsupportedMediaType]: {
    reason: "unsupported_media_type",
    message: "Unsupported content type.",
  },
};

/** The rejection of a request that failed inside the server. It reveals nothing of the error. */
export const serverError: Rejection = {
  reason: "server_error",
  message: "Something went wrong on our end. The error was logged.",
};

/** The rejection of a request that needs the database while that cannot be used. */
export const databaseUnavailable: Rejection = {
  reason: "database_unavailable",
  message: "The database is not available right now. Try again in a few seconds.",
};

/** The rejection for a status, with the message of the error if that has one. */
export function rejectionFor(status: number, message: string): Rejection {
  const byStatus = reasons[status] ?? serverError;
  return { reason: byStatus.reason, message: message || byStatus.message };
}

/** What a blocked guest reads. */
export const blockedText =
  "An admin blocked guest access for this browser. Sign in with an account to continue.";

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
