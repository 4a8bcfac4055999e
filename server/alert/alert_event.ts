import type { OwnWebhookEvent } from "@/realtime/webhooks/webhook_events.ts";
import type { AlertPhase, Crossing, Threshold } from "@/shared/alert.ts";

/** The events of the alert's webhook. Receivers know the first as an alarm, so the end has another name. */
const names: Record<AlertPhase, string> = {
  active: "users_online_threshold",
  normal: "users_online_normal",
};

/** The channel whose users an alert is about. */
export interface AlertChannel {
  channel: string;
  appId: string;
  /** Whether it is of the app of Rollcall's own pages, with whose secret the webhook is signed. */
  isOwn: boolean;
}

/** What a webhook receives of a crossing. */
export function crossingEvent(
  { channel, appId, isOwn }: AlertChannel,
  { phase, direction, threshold, users }: Omit<Crossing, "at">,
) {
  return {
    name: names[phase],
    channel,
    ...!isOwn && { app: appId },
    direction,
    threshold,
    users,
  } satisfies OwnWebhookEvent;
}

/** The body of a test: what the alert sends when it begins, with a field that says that it is none. */
export function testBody(
  channel: AlertChannel,
  { direction, users: threshold }: Omit<Threshold, "holdSeconds">,
  users: number,
  at: number,
): string {
  const event = crossingEvent(channel, { phase: "active", direction, threshold, users });
  return JSON.stringify({ time_ms: at, events: [{ ...event, test: true }] });
}
