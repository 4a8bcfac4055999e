import { type EventFrom, type EventLine, maxKeptEvents } from "@/shared/inspection.ts";
import { isPrivate, type Member } from "@/realtime/protocol/member.ts";
import type { MemberChange } from "@/realtime/channels/member_list.ts";
import {
  memberAdded,
  memberRemoved,
  memberUpdated,
  publishedData,
} from "@/realtime/protocol/outgoing.ts";
import type { PublishedEvent, Publisher } from "@/realtime/server.ts";

/** The data of all events that are kept, in bytes. */
export const maxKeptBytes = 1_000_000;

/** An event with its data. */
export interface KeptEvent {
  line: EventLine;
  data: string;
}

/** The last events of an inspection, and the data of as many of them as fit. */
export class RecentEvents {
  #events: { line: EventLine; data: string | null }[] = [];
  #bytes = 0;

  /** The events, oldest first. */
  get lines(): EventLine[] {
    return this.#events.map(({ line }) => line);
  }

  /** Keeps an event, and drops the oldest one or its data if there is no room. */
  add(line: EventLine, data: string): void {
    const isKept = line.bytes <= maxKeptBytes;
    this.#events.push({ line, data: isKept ? data : null });
    if (isKept) this.#bytes += line.bytes;
    if (this.#events.length > maxKeptEvents) this.#dropData(this.#events.shift());
    for (const event of this.#events) {
      if (this.#bytes <= maxKeptBytes) break;
      this.#dropData(event);
    }
  }

  /** An event with its data, if both are kept. */
  find(number: number): KeptEvent | undefined {
    const event = this.#events.find(({ line }) => line.number === number);
    return event && event.data !== null ? { line: event.line, data: event.data } : undefined;
  }

  /** Drops the events that a user sent, and those whose data name the user. */
  forget(userId: string): void {
    const named = JSON.stringify(userId);
    const isTheirs = ({ line, data }: { line: EventLine; data: string | null }) =>
      line.by === userId || (data?.includes(named) ?? false);
    for (const event of this.#events.filter(isTheirs)) {
      event.line.by = undefined;
      this.#dropData(event);
    }
  }

  #dropData(event: { line: EventLine; data: string | null } | undefined): void {
    if (!event || event.data === null) return;
    this.#bytes -= event.line.bytes;
    event.data = null;
  }
}

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

/** What Rollcall sends the subscribers of a presence channel when a member changes, if it sends anything. */
export function passingMemberChange(
  channel: string,
  change: MemberChange,
): PassingEvent | undefined {
  if ("updated" in change && !change.hasNewInfo) return undefined;
  const [name, frame] = "added" in change
    ? ["pusher_internal:member_added", () => memberAdded(channel, shown(change.added))] as const
    : "removed" in change
    ? ["pusher_internal:member_removed", () => memberRemoved(channel, change.removed)] as const
    : ["rollcall:member_updated", () => memberUpdated(channel, shown(change.updated))] as const;
  return { name, from: "rollcall", data: () => publishedData(frame()) };
}

/** A member as admins may see one: of one who is private, nothing but the id. */
function shown(member: Member): Member {
  return isPrivate(member) ? { ...member, info: "{}" } : member;
}

/** How many events of one interval are shown, and of one name among them. */
const mostShown = { all: 8, ofOneName: 4 };

/**
 * Chooses the events that are shown of an interval: the first ones, and few of each name, so that a
 * rare event is seen among many others. An event that is not shown is only counted.
 */
export class EventSample {
  readonly #shown = new Map<string, number>();
  #total = 0;
  #skipped = 0;

  /** Takes an event into account. @returns whether it is shown */
  take(name: string): boolean {
    const before = this.#shown.get(name) ?? 0;
    if (this.#total >= mostShown.all || before >= mostShown.ofOneName) {
      this.#skipped++;
      return false;
    }
    this.#shown.set(name, before + 1);
    this.#total++;
    return true;
  }

  /** Begins the next interval. @returns the number of events that were not shown */
  next(): number {
    const skipped = this.#skipped;
    this.#shown.clear();
    this.#total = this.#skipped = 0;
    return skipped;
  }
}
