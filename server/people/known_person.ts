import type { User } from "../accounts/accounts.ts";
import type { Services } from "../services.ts";
import { type Identity, identityOf } from "../presence/identity.ts";
import { maxUserIdLength } from "@/realtime/protocol/member.ts";
import type { PresentMember } from "@/realtime/server.ts";
import type { ActivityEntry } from "../activity/activity_log.ts";
import { isBlockedGuest } from "../accounts/guest.ts";
import { isGuestId } from "@/shared/client_settings.ts";
import type { Person } from "@/shared/online.ts";
import type { PersonVisits } from "@/shared/person.ts";
import { countedMs, visitsOf } from "./visits.ts";
import { isWithin, type Limits } from "@/shared/permissions.ts";

/** Entries of the activity log that a person's page shows, and of which it counts visits. */
const [maxActivity, maxCounted] = [10, 500];

/** A person who has an account, is online, or is in a log. Times are in ms since 1970. */
export interface KnownPerson extends Identity, Pick<Person, "source"> {
  /** Of a user. */
  account: User | null;
  /** While online: as a member of the first of the counted channels that the person is in. */
  presence: PresentMember | null;
  /** The counted channels that the person is in, where several are counted. */
  channels: string[];
  /** When a connection of the person was last heard from; null when that is no longer known. */
  lastSeenAt: number | null;
  /** Whether an admin blocked the person: a guest, or a person of the operator's own app. */
  isBlocked: boolean;
  /** Whether the reader may see only some channels of the app: what is not in them is left out. */
  isPartial: boolean;
  /** The keys of the channels of the activity log that such a reader may see; undefined: all. */
  seenIn: string[] | undefined;
}

/**
 * The person with an id; null when none is known.
 *
 * @param limits what the reader is limited to: a person who is and was only in other channels is not known. Of a
 * known one, nothing is told from beyond these limits, such as a block, which holds for the whole app.
 */
export async function knownPerson(
  { accounts, apps, auditLog, blockedPeople, counted, onlineRecorder, database, served }: Services,
  id: string,
  limits: Limits = null,
): Promise<KnownPerson | null> {
  if (id === "" || id.length > maxUserIdLength) return null;
  const account = await accounts.find(id);
  const isPartial = !isWithin(limits, { appId: served.own.id, channel: null });
  // The ids of other apps are other people's.
  const shown = counted.filter((channel) => channel.isOwn && isWithin(limits, channel));
  const joined = shown.filter(({ presence }) => presence.has(id));
  const presence = (await joined[0]?.presence.onAllServers(new Set([id])))?.members.at(0) ?? null;
  const seenIn = isPartial ? shown.map(({ key }) => key) : undefined;
  const [latest] = await onlineRecorder.activityOf(id, { limit: 1, channels: seenIn });
  const isKnownHere = presence !== null || latest !== undefined;
  // What holds for the whole app is not asked for who may see a part of it.
  if (isPartial && !isKnownHere) return null;
  const isBlocked = !isPartial &&
    (isGuestId(id)
      ? await isBlockedGuest(database, id)
      : !account && blockedPeople.reasonOf(served.own.id, id) !== undefined);
  const isKnown = isKnownHere || account || isBlocked ||
    (await auditLog.read({ targetId: id, limit: 1 })).entries.length > 0;
  if (!isKnown) return null;
  const identity = identityOf(id, account ?? undefined, presence?.member);
  const keptName = identity.kind === "foreign" && !presence && latest?.name;
  return {
    ...identity,
    ...keptName && { name: keptName },
    source: identity.kind === "foreign" ? apps.ownNameAmongSeveral : undefined,
    account,
    presence,
    channels: shown.length > 1 ? joined.map(({ channel }) => channel) : [],
    lastSeenAt: presence?.lastSeenAt ?? latest?.at ?? null,
    isBlocked,
    isPartial,
    seenIn,
  };
}

/** When a person was online, as the activity log has it. */
export interface PersonHistory {
  /** The latest entries of the log, newest first. */
  activity: ActivityEntry[];
  visits: PersonVisits;
}

/** Reads the history of a person, as far as the reader who asked for the person may see it. */
export async function personHistory(
  { config, onlineRecorder }: Services,
  { id, presence, seenIn }: KnownPerson,
): Promise<PersonHistory> {
  const at = Date.now();
  const entries = await onlineRecorder.activityOf(id, { limit: maxCounted, channels: seenIn });
  return {
    activity: entries.slice(0, maxActivity),
    visits: visitsOf(entries, {
      at,
      since: entries.length < maxCounted ? at - countedMs(config) : entries.at(-1)!.at,
      onlineSince: presence?.since ?? null,
    }),
  };
}
