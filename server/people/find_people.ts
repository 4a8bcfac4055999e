/**
 * Finds people by what is typed: those online in the counted channels that the reader may see, by the words of their
 * name, second line or id, and others by their whole id or the beginning of a name that the activity log has.
 *
 * The promises: each server finds the same people online, as it asks the lists of the whole installation. No one is
 * found in a channel that the reader may not see, and the number of results is limited.
 *
 * @module
 */
import type { CountedChannel } from "../live_view/counted_channel.ts";
import type { Identity } from "../presence/identity.ts";
import { isOfOwnApp, onlineKey, onlineViewPath } from "@/shared/counted.ts";
import { knownPerson } from "./known_person.ts";
import { personPath } from "@/shared/address.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import type { FoundEntry } from "@/shared/find.ts";
import { isWithin, type Limits } from "@/shared/permissions.ts";
import type { Services } from "../services.ts";

/** How many people are found online, and how many others. */
const [mostOnline, mostOthers] = [8, 4];

/** How long the lists of channels may take, in milliseconds: the first search of a large channel makes its list. */
const longestMs = 1_000;

/** Shorter beginnings of names match too many people to be of use. */
const shortestName = 2;

/** People who are online, each once. */
interface FoundOnline {
  entries: FoundEntry[];
  /** Whether the list of a channel was not made in time. */
  isLate: boolean;
}

/** Who is online in some channels. @param channels those that the reader may see */
export async function findOnline(
  { liveView }: Services,
  channels: readonly CountedChannel[],
  search: string,
): Promise<FoundOnline> {
  const query = { search, sort: { column: "name", descending: false } } as const;
  const request = { offset: 0, limit: mostOnline, anchors: [] };
  const late = Promise.withResolvers<null>();
  const cancel = systemClock.after(longestMs, () => late.resolve(null));
  const lists = await Promise.all(channels.map(async (channel) => {
    const rows = liveView.publisherOf(channel.key).rows(query, request);
    const list = await Promise.race([rows, late.promise]);
    // The rows can be a second old.
    const people = list?.people.filter(({ id }) => channel.presence.has(id));
    return people?.map((person) => ({ person, channel }));
  })).finally(cancel);
  const found = new Map<string, FoundEntry>();
  for (const { person, channel } of lists.flatMap((list) => list ?? [])) {
    const key = `${channel.appId} ${person.id}`;
    if (!found.has(key)) found.set(key, entryOf(person, channel.key));
  }
  return {
    entries: [...found.values()].slice(0, mostOnline),
    isLate: lists.includes(undefined),
  };
}

/** What is shown of a person of a channel. One of another app has no page: the list of the channel is searched. */
function entryOf(person: Identity & { source?: string }, channel: string): FoundEntry {
  const { id, name, detail = person.source } = person;
  const list = onlineViewPath(channel);
  const path = isOfOwnApp(channel) ? personPath(id) : `${list}&${new URLSearchParams({ q: id })}`;
  return { path, title: name, ...detail !== undefined && { detail } };
}

/**
 * People of the own app who are not among those found online: one with this id, and some whose names begin with the
 * text.
 *
 * @param limits what the reader is limited to; `visible` are then the channels of the log that the reader may see.
 */
export async function findOthers(
  services: Services,
  text: string,
  { limits, visible }: { limits: Limits; visible?: readonly string[] },
): Promise<FoundEntry[]> {
  const { activity } = services.onlineRecorder;
  const named = text.length < shortestName
    ? []
    : await activity.idsNamed(text, mostOnline + mostOthers, visible);
  const shown = services.counted.filter((channel) => channel.isOwn && isWithin(limits, channel));
  const ids = [...new Set([text, ...named])]
    .filter((id) => !shown.some(({ presence }) => presence.has(id))).slice(0, 1 + mostOthers);
  const people = await Promise.all(ids.map((id) => knownPerson(services, id, limits)));
  return people.flatMap((person) => person && !person.presence ? [entryOf(person, onlineKey)] : []);
}
