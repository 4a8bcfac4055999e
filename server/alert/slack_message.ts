import { z } from "zod";
import { countText } from "@/shared/number_text.ts";

/** The part of the alert's events that a message tells. */
const alertEvents = z.object({
  events: z.array(z.object({
    name: z.string(),
    channel: z.string(),
    direction: z.enum(["up", "down"]),
    threshold: z.number(),
    users: z.number(),
    test: z.boolean().optional(),
  })),
});

type AlertEvent = z.infer<typeof alertEvents>["events"][number];

/**
 * What a URL receives of a webhook: an incoming webhook of Slack a message, as it refuses any other body
 * (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks); others the body as it is.
 */
export function bodyFor(url: string, body: string): string {
  if (URL.parse(url)?.hostname !== "hooks.slack.com") return body;
  const { events } = alertEvents.parse(JSON.parse(body));
  return JSON.stringify({ text: events.map(sentenceOf).join("\n") });
}

function sentenceOf({ name, channel, direction, threshold, users, test }: AlertEvent): string {
  const kind = test ? "Test" : name === "users_online_normal" ? "Back to normal" : "Alert";
  const limit = `${direction === "up" ? "at least" : "fewer than"} ${countText(threshold, "user")}`;
  return `${kind}: ${countText(users, "user")} online in ${channel} (alert: ${limit}).`;
}
