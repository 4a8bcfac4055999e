import { STATUS_CODE } from "@std/http/status";
import { pathOf } from "../shared/address.ts";

/** Why a request was refused, as JSON. */
export interface Refusal {
  /** A stable code, such as `csrf_token_mismatch`. */
  reason: string;
  /** A sentence for people. */
  message: string;
}

/** A refusal as JSON. pusher-js passes status and body on to the page's error handler. */
export function refuse(status: number, reason: string, message: string): Response {
  return Response.json({ reason, message } satisfies Refusal, { status });
}

/** Whether the client expects JSON rather than a page. */
export function wantsJson(request: Request): boolean {
  if (pathOf(new URL(request.url)).startsWith("/broadcasting/")) return true;
  const accept = request.headers.get("accept") ?? "";
  if (accept.includes("text/html")) return false;
  return accept.includes("application/json") ||
    request.headers.get("x-requested-with") === "XMLHttpRequest";
}

/** The status of Laravel for a missing or wrong CSRF token; no standard defines one. */
export const pageExpired = 419;

/** A request without the page's CSRF token, or with that of another page. */
export class ExpiredPageError extends Error {
  override name = "ExpiredPageError";
  constructor(readonly reason: "csrf_token_missing" | "csrf_token_mismatch") {
    super("Your session changed. Reload the page and try again.");
  }
}

const reasons: Record<number, Refusal> = {
  [STATUS_CODE.BadRequest]: { reason: "bad_request", message: "The request is malformed." },
  [STATUS_CODE.Forbidden]: { reason: "forbidden", message: "You don't have access to this page." },
  [STATUS_CODE.NotFound]: { reason: "not_found", message: "There is no page at this address." },
  [STATUS_CODE.MethodNotAllowed]: {
    reason: "method_not_allowed",
    message: "This address doesn't support that method.",
  },
  [STATUS_CODE.ContentTooLarge]: { reason: "too_large", message: "The request is too large." },
  [STATUS_CODE.UnsupportedMediaType]: {
    reason: "unsupported_media_type",
    message: "The body of the request has an unsupported content type.",
  },
};

/** The refusal for a status: with the message of the error if it has one. Contains no internals. */
export function refusalOf(status: number, message: string): Refusal {
  const known = reasons[status] ??
    {
      reason: "server_error",
      message: "Something went wrong on the server. The error has been logged.",
    };
  return { reason: known.reason, message: message || known.message };
}

/** The message for a blocked guest. */
export const blockedText =
  "An admin blocked guest access for this browser. Sign in with an account to continue.";
