import { isOfSession, retryDelayMs, subscriptionRefusal } from "./reconnection.ts";

/** The part of a channel of Echo that {@link keepSubscribed} uses. */
export interface Subscribable {
  subscription: { subscriptionPending: boolean; subscribe(): void };
  subscribed(callback: () => void): unknown;
  error(callback: (error: unknown) => void): unknown;
}

/** What {@link keepSubscribed} reports. */
export interface SubscriptionReports {
  /**
   * The server refused for good; the reason is a sentence for the reader. `mayBeSignedOut` when a
   * reader who signed out would be refused in this way.
   */
  refused(reason: string, mayBeSignedOut: boolean): void;
  /** The subscription failed and is tried again. */
  failed?(): void;
}

/**
 * Subscribes to a channel again when it failed, with longer waits after each failure in a row;
 * pusher-js itself does so only when it connects again.
 */
export function keepSubscribed(
  channel: Subscribable,
  { refused, failed }: SubscriptionReports,
  random: () => number = Math.random,
): void {
  let failures = 0;
  channel.subscribed(() => {
    failures = 0;
  });
  channel.error((error: unknown) => {
    const reason = subscriptionRefusal(error);
    if (reason !== null) return refused(reason, isOfSession(error));
    failed?.();
    const { subscription } = channel;
    setTimeout(() => {
      if (!subscription.subscriptionPending) subscription.subscribe();
    }, retryDelayMs(failures++, random()));
  });
}
