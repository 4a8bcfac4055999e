import { createHash } from "node:crypto";
import type { Webhook } from "../app_config.ts";
import type { ServerEvent } from "../events/server_events.ts";

/** An event of this server's own, beside those of the app's channels. */
export interface OwnWebhookEvent {
  name: string;
  /** The channel that it is about. */
  channel: string;
  [field: string]: string | number | boolean;
}

/** The JSON text of an event, in Pusher's form. Data other than a string is sent as its JSON text. */
export function webhookEvent(event: ServerEvent): string {
  const { name, channel } = event;
  switch (event.name) {
    case "member_added":
    case "member_removed":
      return JSON.stringify({ name, channel, user_id: event.userId });
    case "client_event": {
      const { event: clientEvent, data, socketId, userId } = event;
      const text = typeof data === "string" ? data : JSON.stringify(data ?? null);
      return JSON.stringify({
        name,
        channel,
        event: clientEvent,
        data: text,
        socket_id: socketId,
        user_id: userId,
      });
    }
    case "subscription_count":
      return JSON.stringify({ name, channel, subscription_count: event.count });
    default:
      return JSON.stringify({ name, channel });
  }
}

/** Whether a webhook receives an event. */
export function receives({ events }: Webhook, { name }: ServerEvent): boolean {
  return events === undefined || events.includes(name);
}

const digests = new WeakMap<Webhook, string>();

/** Identifies a webhook by a digest of its address, because the address may contain a secret. */
export function webhookDigest(webhook: Webhook): string {
  const known = digests.get(webhook);
  if (known !== undefined) return known;
  const digest = createHash("sha256").update(webhook.url).digest("base64url");
  digests.set(webhook, digest);
  return digest;
}
