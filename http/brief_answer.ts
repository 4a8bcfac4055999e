import { STATUS_CODE } from "@std/http/status";
import { HttpError } from "fresh";
import { brokenOff } from "@/server/net/broken_off.ts";
import { BusyError } from "@/server/net/busy_error.ts";
import { refusalOf, wantsJson } from "./refusal.ts";

/**
 * Answers some errors with their sentence alone: those of requests that no page sends, and those of a
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
  const refusal = refusalOf(status, message);
  return wantsJson(request)
    ? Response.json(refusal, { status })
    : new Response(`${refusal.message}\n`, { status });
}
