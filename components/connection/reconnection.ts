import { closingText, signedOutReason } from "@/shared/close_reasons.ts";
import { text } from "@/shared/language.ts";

/** The part of pusher-js that {@link reconnectSooner} uses. */
export interface Reconnectable {
  connect(): void;
  disconnect(): void;
  connection: { state: string; bind(event: string, callback: (data?: unknown) => void): unknown };
}

/**
 * Restarts an attempt to connect that does not succeed: after 2 to 4 s, then with longer waits up to
 * 15 s. pusher-js itself waits 15, 30 and 60 s after an attempt that failed at once, so that pages would
 * show outdated numbers long after a server is back from a restart.
 *
 * @returns whether the current `disconnected` event is part of a restart.
 */
export function reconnectSooner(
  pusher: Reconnectable,
  random: () => number = Math.random,
): () => boolean {
  let failures = 0;
  let isRestarting = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const restart = () => {
    failures++;
    isRestarting = true;
    pusher.disconnect();
    isRestarting = false;
    pusher.connect();
  };
  const onAttempt = () => {
    clearTimeout(timer);
    // As after two more failures: an attempt that is only slow must not be cut off.
    timer = setTimeout(restart, retryDelayMs(failures + 2, random()));
  };
  const onEnd = () => clearTimeout(timer);

  pusher.connection.bind("connecting", onAttempt);
  pusher.connection.bind("connected", () => {
    failures = 0;
    onEnd();
  });
  pusher.connection.bind("disconnected", onEnd);
  pusher.connection.bind("failed", onEnd);
  if (pusher.connection.state === "connecting") onAttempt();
  return () => isRestarting;
}

/**
 * How long to wait before the next attempt, in milliseconds: from 1 s doubling to 15 s, with jitter, so
 * that the pages of a restarted server do not all retry at once.
 *
 * @param failuresBefore attempts that failed in a row.
 * @param random from 0 to 1.
 */
export function retryDelayMs(failuresBefore: number, random: number): number {
  return Math.min(15_000, 1_000 * 2 ** failuresBefore) * (0.5 + random / 2);
}

/**
 * Why a subscription was refused, as a sentence; `null` when a retry may help: the network or the
 * server failed, or there were too many requests.
 *
 * @param error what pusher-js passes to `pusher:subscription_error`. Its `status` is the HTTP status when
 * the auth route refused; a close code, with an `error` fit for people, when the socket's server did.
 */
export function subscriptionRefusal(error: unknown): string | null {
  const status = Number(Object(error).status);
  if (status === 401) return text`Couldn't authorize this page. Reload to try again.`;
  if (status === 403) return text`You've been signed out. Sign in again.`;
  if (status === 419) return text`Your session changed. Reload the page.`;
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
    return text`Something went wrong (error ${status}). Reload the page.`;
  }
  if (status >= 4000) return text`${Object(error).error}. Reload to try again.`;
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
  if (!((code > 4000 && code < 4100) || code >= 4300)) return null;
  return closingText(message) ??
    text`Disconnected by the server: ${message || text`no reason`} (code ${code}).`;
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
