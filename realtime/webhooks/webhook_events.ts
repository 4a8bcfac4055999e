import { createHash } from "node:crypto";
import type { ServerEvent } from "../events/server_events.ts";
import type { Webhook } from "./webhook.ts";

/** An event of a webhook, as its JSON text. Data that is no string travels as its JSON. */
export function webhookEvent(occurrence: ServerEvent): string {
  const { name, channel } = occurrence;
  switch (occurrence.name) {
    case "member_added":
    case "member_removed":
      return JSON.stringify({ name, channel, user_id: occurrence.userId });
    case "client_event": {
      const { event, data, socketId, userId } = occurrence;
      const text = typeof data === "string" ? data : JSON.stringify(data ?? null);
      return JSON.stringify({
        name,
        channel,
        event,
        data: text,
        socket_id: socketId,
        user_id: userId,
      });
    }
    case "subscription_count":
      return JSON.stringify({ name, channel, subscription_count: occurrence.count });
    default:
      return JSON.stringify({ name, channel });
  }
}

/** Whether a webhook wants to hear of it. */
export function wants({ events }: Webhook, { name }: ServerEvent): boolean {
  return events === undefined || events.includes(name);
}

const digests = new WeakMap<Webhook, string>();

/** Names a webhook by its address; the address itself may hold a secret. */
export function webhookDigest(webhook: Webhook): string {
  const known = digests.get(webhook);
  if (known !== undefined) return known;
  const digest = createHash("sha256").update(webhook.url).digest("base64url");
  digests.set(webhook, digest);
  return digest;
}
