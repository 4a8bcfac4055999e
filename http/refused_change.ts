import { STATUS_CODE } from "@std/http/status";
import type { Refusal } from "@/server/accounts/accounts.ts";
import { refuse, wantsJson } from "./refusal.ts";

/** The status and headers of the answer to a change that was refused. */
export function refusedChange(
  { reason, retryAfterSeconds }: Refusal,
): { status: number; headers?: Record<string, string> } {
  if (reason === "rate_limited") {
    const headers = { "retry-after": String(retryAfterSeconds ?? 60) };
    return { status: STATUS_CODE.TooManyRequests, headers };
  }
  const isMissing = reason === "unknown_link" || reason === "not_found";
  return { status: isMissing ? STATUS_CODE.NotFound : STATUS_CODE.UnprocessableEntity };
}

/** The answer to a program whose change was refused; null for a browser, which gets a page. */
export function refusalForProgram(request: Request, refusal: Refusal): Response | null {
  if (!wantsJson(request)) return null;
  const { status, headers } = refusedChange(refusal);
  const response = refuse(status, refusal.reason, refusal.message);
  for (const [name, value] of Object.entries(headers ?? {})) response.headers.set(name, value);
  return response;
}
