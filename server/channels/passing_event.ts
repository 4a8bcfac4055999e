import type { MemberChange } from "@/realtime/channels/member_list.ts";
import { memberAdded, memberRemoved, publishedData } from "@/realtime/protocol/outgoing.ts";
import type { PublishedEvent, Publisher } from "@/realtime/server.ts";
import type { EventFrom } from "@/shared/inspection.ts";

/** An event that passes by in a channel. */
export interface PassingEvent {
  name: string;
  from: EventFrom;
  /** The user id of the client, in presence channels. */
  by?: string;
  /** As subscribers receive it. It is called only for events that are shown. */
  data: () => string;
}

const shownFrom: Record<Publisher, EventFrom> = {
  api: "api",
  client: "client",
  server: "rollcall",
};

/** An event that was published through the HTTP API or by Rollcall, or that a client sent. */
export function passingPublished({ name, data, from, userId }: PublishedEvent): PassingEvent {
  return { name, from: shownFrom[from], by: userId, data: () => data };
}

/** What Rollcall sends the subscribers of a presence channel when a user joins or leaves. */
export function passingMemberChange(channel: string, change: MemberChange): PassingEvent {
  const name = `pusher_internal:member_${"added" in change ? "added" : "removed"}`;
  const frame = () =>
    "added" in change ? memberAdded(channel, change.added) : memberRemoved(channel, change.removed);
  return { name, from: "rollcall", data: () => publishedData(frame()) };
}
