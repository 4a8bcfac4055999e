import { closingText, signedOutReason } from "@/shared/close_reasons.ts";

/**
 * Why a subscription was refused, as a sentence; `null` when a retry may help: the network or the
 * server failed, or there were too many requests.
 *
 * @param error what pusher-js passes to `pusher:subscription_error`. Its `status` is that of HTTP when
 * the auth route refused; a close code, with an `error` fit for people, when the socket's server did.
 */
export function subscriptionRefusal(error: unknown): string | null {
  const status = Number(Object(error).status);
  if (status === 401) return "Couldn't authorize this page. Reload to try again.";
  if (status === 403) return "You've been signed out. Sign in again.";
  if (status === 419) return "Your session changed. Reload the page.";
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
    return `Something went wrong (error ${status}). Reload the page.`;
  }
  if (status >= 4000) return `${Object(error).error}. Reload to try again.`;
  return null;
}

/** Whether the auth route refused in a way in which it refuses readers who are signed out. */
export function isOfSession(error: unknown): boolean {
  return [401, 403, 419].includes(Number(Object(error).status));
}

/** Whether the server closed the connection because the reader signed out, in this browser. */
export function isSignOut(error: unknown): boolean {
  return closeOf(error).message === signedOutReason;
}

/**
 * Why the server closed the connection for good, as a sentence; `null` when pusher-js reconnects. It
 * gives up at close codes 4000 to 4099 and from 4300 on.
 *
 * @param error what pusher-js passes to the connection's `error`.
 */
export function connectionRefusal(error: unknown): string | null {
  const { code, message } = closeOf(error);
  if (!(code > 4000 && code < 4100) && !(code >= 4300)) return null;
  return closingText(message) ??
    `Disconnected by the server: ${message || "no reason"} (code ${code}).`;
}

/**
 * Why the server refuses the connection for now, as a sentence, where the operator can do something about
 * it; empty otherwise. pusher-js goes on trying.
 *
 * @param error what pusher-js passes to the connection's `error`.
 */
export function passingRefusal(error: unknown): string {
  return /^Your address.*/.exec(closeOf(error).message)?.[0] ?? "";
}

/** The code and the message of the close frame in an error of the connection. */
function closeOf(error: unknown): { code: number; message: string } {
  return Object(Object(Object(error).error ?? error).data);
}
