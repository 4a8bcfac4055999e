import { allows, apiPath, type ApiScope } from "@/shared/api.ts";
import { isoTime } from "./online_answer.ts";
import type { FollowedPerson, OnlineEvent } from "./online_events.ts";

/** Where programs follow who is online. */
export const eventsPath = `${apiPath}/online/events`;

/** The headers of a stream: nginx passes each event on at once, and no one compresses or keeps it. */
export const eventHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

/** An event as it is sent. @param id what a program says when it comes back; absent: as before */
export function frameOf(name: string, data: unknown, id?: string): string {
  return `event: ${name}\n${id === undefined ? "" : `id: ${id}\n`}data: ${
    JSON.stringify(data)
  }\n\n`;
}

/** The names of events for programs. */
export const eventNames = {
  joined: "joined",
  left: "left",
  renamed: "changed",
  activity: "changed",
};

function timeOrNull(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : isoTime(at);
}

/** What a scope may read of an event; undefined for nothing. @param app the id of the channel's app */
export function dataOf(event: OnlineEvent, app: string, scope: ApiScope): object | undefined {
  if (!allows(scope, "ids")) return undefined;
  const at = isoTime(event.at);
  if (event.type === "left") {
    const { id, reason, seconds } = event;
    return { at, id, app, seconds, reason };
  }
  const { id } = event.person;
  if (event.type === "joined") return { at, ...fieldsOf(event.person, app, scope) };
  if (event.type === "activity") return { at, id, app, ...statusOf(event.person) };
  return allows(scope, "names") ? { at, id, app, ...namesOf(event.person) } : undefined;
}

/** What a scope may read of a person: with the scope ids at least. */
export function fieldsOf(person: FollowedPerson, app: string, scope: ApiScope): object {
  return {
    id: person.id,
    ...allows(scope, "names") && namesOf(person),
    app,
    online_since: timeOrNull(person.since),
    ...statusOf(person),
  };
}

function statusOf({ activity }: FollowedPerson) {
  const idleSince = activity?.state === "idle" ? activity.since : null;
  return { status: activity?.state ?? null, idle_since: timeOrNull(idleSince) };
}

function namesOf({ detail, name, url }: FollowedPerson) {
  return { name, detail, url };
}
