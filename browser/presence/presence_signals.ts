import { closingText } from "../../shared/close_reasons.ts";

/** The part of pusher-js's list of a presence channel's members that is needed: it is kept by id. */
export interface MemberList {
  members: Record<string, unknown>;
}

/** The ids of all members, as pusher-js keeps them up to date. */
export function memberIds(list: MemberList): string[] {
  return Object.keys(list.members);
}

/**
 * Why a subscription was refused, for people; `null` when asking again may help: the network or the
 * server failed, or there were too many requests.
 *
 * @param error what pusher-js hands to `pusher:subscription_error`. Its `status` is that of HTTP when
 * the auth route refused; a close code, with an `error` fit for people, when the socket's server did.
 */
export function subscriptionRefusal(error: unknown): string | null {
  const status = Number(field(error, "status"));
  if (status === 401) return "The server did not accept this page's permission. Reload the page.";
  if (status === 403) return "You are signed out, or may not see who is online. Sign in again.";
  if (status === 419) return "This page is out of date. Reload it.";
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
    return `The server refused the request (status ${status}). Reload the page.`;
  }
  if (status >= 4000) return `${field(error, "error")}. Reload the page to try again.`;
  return null;
}

/**
 * Why the server closed the connection for good, for people; `null` when it did not. pusher-js stops
 * at close codes 4000 to 4099 and from 4300 on.
 *
 * @param error what pusher-js hands to the connection's `error`.
 */
export function connectionRefusal(error: unknown): string | null {
  const data = field(field(error, "error") ?? error, "data");
  const code = Number(field(data, "code"));
  if (!(code > 4000 && code < 4100) && !(code >= 4300)) return null;
  const message = field(data, "message");
  return closingText(message) ??
    `The server closed the connection: ${message || "no reason given"} (code ${code}).`;
}

/**
 * How long to wait before asking again after failures, in milliseconds: doubling from 1 s to 15 s,
 * with jitter, so that the pages of a restarted server do not all ask at once.
 *
 * @param random from 0 to 1.
 */
export function retryDelayMs(failuresBefore: number, random: number): number {
  return Math.min(15_000, 1_000 * 2 ** failuresBefore) * (0.5 + random / 2);
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
