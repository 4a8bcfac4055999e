import { type Frame, frameOf } from "./frame.ts";
import type { Member } from "../brokers/broker.ts";

/** The first frame of every connection. `activity_timeout` is in seconds. */
export function connectionEstablished(socketId: string, activityTimeoutSeconds: number): Frame {
  const data = { socket_id: socketId, activity_timeout: activityTimeoutSeconds };
  return frameOf(encode("pusher:connection_established", JSON.stringify(data)));
}

/** The answer to a client's ping. */
export const pong: Frame = frameOf(encode("pusher:pong", "{}"));

/** Something went wrong; `code` is a close code, or null when the connection stays. */
export function errorFrame(message: string, code: number | null = null): Frame {
  return frameOf(encode("pusher:error", { message, code }));
}

/** A subscription was refused; the page's own handler for the channel hears it. */
export function subscriptionError(
  channel: string,
  data: { type: string; error: string; status: number },
): Frame {
  return frameOf(JSON.stringify({ event: "pusher:subscription_error", channel, data }));
}

/** A subscription to a channel that is no presence channel succeeded. */
export function subscriptionSucceeded(channel: string): Frame {
  return frameOf(encode("pusher_internal:subscription_succeeded", "{}", channel));
}

/** A connection is signed in; the data is what was signed. */
export function signinSuccess(userData: string): Frame {
  return frameOf(encode("pusher:signin_success", JSON.stringify({ user_data: userData })));
}

/** Which users of a watchlist came online or went; only names with users appear. */
export function watchlistEvents(changes: { online?: string[]; offline?: string[] }): Frame {
  const events = Object.entries(changes).filter(([, ids]) => ids.length > 0)
    .map(([name, user_ids]) => ({ name, user_ids }));
  return frameOf(encode("pusher_internal:watchlist_events", JSON.stringify({ events })));
}

/** A user's first connection joined a presence channel. */
export function memberAdded(channel: string, { id, info }: Member): Frame {
  const data = `{"user_id":${JSON.stringify(id)},"user_info":${info}}`;
  return frameOf(encode("pusher_internal:member_added", data, channel));
}

/** A user's last connection left a presence channel. */
export function memberRemoved(channel: string, userId: string): Frame {
  const data = JSON.stringify({ user_id: userId });
  return frameOf(encode("pusher_internal:member_removed", data, channel));
}

/** A newcomer to a cache channel: there is no event to give. */
export function cacheMiss(channel: string): Frame {
  return frameOf(JSON.stringify({ event: "pusher:cache_miss", channel }));
}

/** How many subscribers a channel has. */
export function subscriptionCount(channel: string, count: number): Frame {
  const data = JSON.stringify({ subscription_count: count });
  return frameOf(encode("pusher_internal:subscription_count", data, channel));
}

/** An event of a client, as it was sent; on a presence channel with who sent it. */
export function clientEvent(channel: string, event: string, data: unknown, userId?: string): Frame {
  return frameOf(JSON.stringify({ event, channel, data, user_id: userId }));
}

/** An event that was published to a channel; data that is no string travels as its JSON. */
export function published(channel: string, event: string, data: unknown): Frame {
  const text = typeof data === "string" ? data : JSON.stringify(data ?? {});
  return frameOf(encode(event, text, channel));
}

/** The data of an event that was {@link published}, as clients receive it. */
export function publishedData({ text }: Frame): string {
  return (JSON.parse(text) as { data: string }).data;
}

function encode(event: string, data: unknown, channel?: string): string {
  return JSON.stringify({ event, channel, data });
}
