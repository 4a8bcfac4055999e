import { onlineChannel } from "../../channels.ts";
import type { OwnWebhookEvent } from "../../realtime/webhooks/webhook_events.ts";
import type { AlertPhase, Crossing, Threshold } from "../../shared/alert.ts";

/** The events of the alert's webhook. Receivers know the first as an alarm, so the end has another name. */
const names: Record<AlertPhase, string> = {
  active: "users_online_threshold",
  normal: "users_online_normal",
};

/** What a webhook receives of a crossing. */
export function crossingEvent({ phase, direction, threshold, users }: Omit<Crossing, "at">) {
  return {
    name: names[phase],
    channel: onlineChannel,
    direction,
    threshold,
    users,
  } satisfies OwnWebhookEvent;
}

/** The body of a test: what the alert sends when it begins, with a field that says that it is none. */
export function testBody(
  { direction, users: threshold }: Omit<Threshold, "holdSeconds">,
  users: number,
  at: number,
): string {
  const event = crossingEvent({ phase: "active", direction, threshold, users });
  return JSON.stringify({ time_ms: at, events: [{ ...event, test: true }] });
}
