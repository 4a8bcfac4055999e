import { STATUS_CODE } from "@std/http/status";
import { pathOf } from "../shared/address.ts";

/** What a refused request is told, in a form that a program can read. */
export interface Refusal {
  /** A word that never changes, such as `csrf_token_mismatch`. */
  reason: string;
  /** A sentence for people. */
  message: string;
}

/** A refusal as JSON. pusher-js hands status and body on to the page's error handler. */
export function refuse(status: number, reason: string, message: string): Response {
  return Response.json({ reason, message } satisfies Refusal, { status });
}

/** Whether the asking program wants JSON rather than a page. */
export function wantsJson(request: Request): boolean {
  if (pathOf(new URL(request.url)).startsWith("/broadcasting/")) return true;
  const accept = request.headers.get("accept") ?? "";
  if (accept.includes("text/html")) return false;
  return accept.includes("application/json") ||
    request.headers.get("x-requested-with") === "XMLHttpRequest";
}

/** The status that Laravel answers for a missing or wrong anti-forgery token; no standard has one. */
export const pageExpired = 419;

/** A request without the page's anti-forgery token, or with that of another page. */
export class ExpiredPageError extends Error {
  override name = "ExpiredPageError";
  constructor(readonly reason: "csrf_token_missing" | "csrf_token_mismatch") {
    super("This page has expired. Load it again and repeat what you did.");
  }
}

const reasons: Record<number, Refusal> = {
  [STATUS_CODE.BadRequest]: { reason: "bad_request", message: "The request is malformed." },
  [STATUS_CODE.Forbidden]: { reason: "forbidden", message: "You may not see this." },
  [STATUS_CODE.NotFound]: { reason: "not_found", message: "There is nothing at this address." },
  [STATUS_CODE.MethodNotAllowed]: {
    reason: "method_not_allowed",
    message: "This address does not take that method.",
  },
  [STATUS_CODE.ContentTooLarge]: { reason: "too_large", message: "The request is too large." },
  [STATUS_CODE.UnsupportedMediaType]: {
    reason: "unsupported_media_type",
    message: "The request's body has a form that is not taken here.",
  },
};

/** What to tell about a status, when the error itself says nothing. Never names an internal. */
export function refusalOf(status: number, message: string): Refusal {
  const known = reasons[status] ??
    { reason: "server_error", message: "Something went wrong here. It has been noted." };
  return { reason: known.reason, message: message || known.message };
}

/** What a guest reads whom an admin does not let in. */
export const blockedText =
  "An admin does not let you in as a guest. You can sign in with an account.";
