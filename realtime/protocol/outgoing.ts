import type { Member } from "./member.ts";

/** An outgoing frame, encoded once for all connections that it goes to. */
export interface Frame {
  readonly text: string;
  /** Length in UTF-8 bytes. */
  readonly bytes: number;
}

/** Makes a frame from its text. */
export function frameOf(text: string): Frame {
  return { text, bytes: byteLength(text) };
}

const encoder = new TextEncoder();
// deno-lint-ignore no-control-regex -- the range of ASCII is what is meant
const beyondAscii = /[^\x00-\x7f]/;

/** The length of a text in UTF-8 bytes. */
export function byteLength(text: string): number {
  return beyondAscii.test(text) ? encoder.encode(text).length : text.length;
}

/** The first frame of every connection. `activity_timeout` is in seconds. */
export function connectionEstablished(socketId: string, activityTimeoutSeconds: number): Frame {
  const data = { socket_id: socketId, activity_timeout: activityTimeoutSeconds };
  return frameOf(encode("pusher:connection_established", JSON.stringify(data)));
}

/** The answer to a client's ping. */
export const pong: Frame = frameOf(encode("pusher:pong", "{}"));

/** `pusher:error`; `code` is the close code that follows, or null when the connection stays open. */
export function errorFrame(message: string, code: number | null = null): Frame {
  return frameOf(encode("pusher:error", { message, code }));
}

/** A subscription was refused. pusher-js passes it to the page's handlers of the channel. */
export function subscriptionError(
  channel: string,
  data: { type: string; error: string; status: number },
): Frame {
  return frameOf(JSON.stringify({ event: "pusher:subscription_error", channel, data }));
}

/** A subscription to a public or private channel succeeded. */
export function subscriptionSucceeded(channel: string): Frame {
  return frameOf(encode("pusher_internal:subscription_succeeded", "{}", channel));
}

/** A sign-in succeeded; `userData` is the text that was signed. */
export function signinSuccess(userData: string): Frame {
  return frameOf(encode("pusher:signin_success", JSON.stringify({ user_data: userData })));
}

/** Users of a watchlist came online or went offline; an empty list is left out. */
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

/** The app's server changed the `user_info` of a member, who neither left nor joined. */
export function memberUpdated(channel: string, { id, info }: Member): Frame {
  const data = `{"user_id":${JSON.stringify(id)},"user_info":${info}}`;
  return frameOf(encode("rollcall:member_updated", data, channel));
}

/** How many members a presence channel had. */
export interface MemberCount {
  readonly users: number;
  /** How many of the users are guests. */
  readonly guests: number;
  /** The date, in milliseconds since 1970. */
  readonly asOf: number;
}

/** How many members a presence channel has, for its quiet subscribers. */
export function memberCount(channel: string, { asOf, guests, users }: MemberCount): Frame {
  const ofGuests = guests > 0 ? `\\"guests\\":${guests},` : "";
  const data = `{\\"users\\":${users},${ofGuests}\\"as_of\\":${asOf}}`;
  return frameOf(`{"event":"rollcall:count","channel":"${channel}","data":"${data}"}`);
}

/** A new subscriber of a cache channel: the channel has no event. */
export function cacheMiss(channel: string): Frame {
  return frameOf(JSON.stringify({ event: "pusher:cache_miss", channel }));
}

/** How many subscribers a channel has. */
export function subscriptionCount(channel: string, count: number): Frame {
  const data = JSON.stringify({ subscription_count: count });
  return frameOf(encode("pusher_internal:subscription_count", data, channel));
}

/** A client event, as it was sent; on a presence channel with the user id of its sender. */
export function clientEvent(channel: string, event: string, data: unknown, userId?: string): Frame {
  return frameOf(JSON.stringify({ event, channel, data, user_id: userId }));
}

/** An event published to a channel. Data other than a string is sent as its JSON text. */
export function published(channel: string, event: string, data: unknown): Frame {
  return frameOf(encode(event, dataText(data), channel));
}

/** The data of an event as a text, as clients receive it. */
export function dataText(data: unknown): string {
  return typeof data === "string" ? data : JSON.stringify(data ?? {});
}

/** The data of a {@link published} event, as clients receive it. */
export function publishedData({ text }: Frame): string {
  return (JSON.parse(text) as { data: string }).data;
}

/** The name, the data and the sender of a frame that was published to a channel, or sent there by a client. */
export function readPublished({ text }: Frame): { name: string; data: string; userId?: string } {
  const { event, data, user_id } = JSON.parse(text) as {
    event: string;
    data?: unknown;
    user_id?: string;
  };
  return { name: event, data: dataText(data), ...user_id !== undefined && { userId: user_id } };
}

function encode(event: string, data: unknown, channel?: string): string {
  return JSON.stringify({ event, channel, data });
}

/** Whether only this server sends events of a name: the protocol's, and Rollcall's own. */
export function isServersOwnEvent(name: string): boolean {
  return /^(pusher|pusher_internal|rollcall):/.test(name);
}
