import {
  dataText,
  memberAdded,
  memberRemoved,
  publishedData,
  subscriptionCount,
} from "../realtime/protocol/outgoing.ts";
import type { PublishedEvent, ServerEvent } from "../realtime/server.ts";
import type { EventFrom } from "../shared/inspection.ts";

/** An event that passes by in a channel. */
export interface PassingEvent {
  name: string;
  from: EventFrom;
  /** The user id of the client, in presence channels. */
  by?: string;
  /** As subscribers receive it. It is called only for events that are shown. */
  data: () => string;
}

/** An event that was published through the HTTP API or by Rollcall. */
export function passingPublished({ name, data, from }: PublishedEvent): PassingEvent {
  return { name, from: from === "api" ? "api" : "rollcall", data: () => data };
}

/** An event that a client sent, or that Rollcall sends when members change; undefined for others. */
export function passingServerEvent(event: ServerEvent): PassingEvent | undefined {
  const { channel } = event;
  switch (event.name) {
    case "client_event": {
      const { event: name, data, userId: by } = event;
      return { name, from: "client", by, data: () => dataText(data) };
    }
    case "member_added":
      return sent("member_added", () => publishedData(memberAdded(channel, event.member)));
    case "member_removed":
      return sent("member_removed", () => publishedData(memberRemoved(channel, event.userId)));
    case "subscription_count":
      return sent(
        "subscription_count",
        () => publishedData(subscriptionCount(channel, event.count)),
      );
  }
}

function sent(name: string, data: () => string): PassingEvent {
  return { name: `pusher_internal:${name}`, from: "rollcall", data };
}
