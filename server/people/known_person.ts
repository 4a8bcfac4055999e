import type { User } from "../accounts/accounts.ts";
import type { Services } from "../services.ts";
import { type Identity, identityOf } from "../presence/identity.ts";
import { maxUserIdLength } from "@/realtime/protocol/member.ts";
import type { PresentMember } from "@/realtime/server.ts";
import type { ActivityEntry } from "../activity/activity_log.ts";
import { isBlockedGuest } from "../accounts/guest.ts";
import { isGuestId } from "@/shared/client_settings.ts";
import type { Person } from "@/shared/online.ts";

/** Entries of the activity log that a person's page shows. */
const maxActivity = 10;

/** A person who has an account, is online, or is in a log. Times are in ms since 1970. */
export interface KnownPerson extends Identity, Pick<Person, "source"> {
  /** Of a user. */
  account: User | null;
  /** While online: as a member of the first of the counted channels that the person is in. */
  presence: PresentMember | null;
  /** The counted channels that the person is in, where several are counted. */
  channels: string[];
  /** When a connection of the person was last heard from; null when that is not known any more. */
  lastSeenAt: number | null;
  /** Whether an admin blocked the person: a guest, or a person of the operator's own app. */
  isBlocked: boolean;
  /** The latest entries of the activity log, newest first. */
  activity: ActivityEntry[];
}

/** The person with an id; null when none is known. */
export async function knownPerson(
  { accounts, apps, auditLog, blockedPeople, counted, onlineRecorder, database, served }: Services,
  id: string,
): Promise<KnownPerson | null> {
  if (id === "" || id.length > maxUserIdLength) return null;
  const account = await accounts.find(id);
  // The ids of other apps are other people's.
  const joined = counted.filter(({ isOwn, presence }) => isOwn && presence.has(id));
  const presence = (await joined[0]?.presence.onAllServers(new Set([id])))?.members.at(0) ?? null;
  const activity = await onlineRecorder.activityOf(id, maxActivity);
  const isBlocked = !account && blockedPeople.reasonOf(served.own.id, id) !== undefined;
  const isKnown = account || presence || isBlocked || activity.length > 0 ||
    (await auditLog.read({ targetId: id, limit: 1 })).entries.length > 0;
  if (!isKnown) return null;
  const identity = identityOf(id, account ?? undefined, presence?.member);
  const keptName = identity.kind === "foreign" && !presence && activity[0]?.name;
  return {
    ...identity,
    ...keptName && { name: keptName },
    source: identity.kind === "foreign" ? apps.ownNameAmongSeveral : undefined,
    account,
    presence,
    channels: counted.length > 1 ? joined.map(({ channel }) => channel) : [],
    lastSeenAt: presence?.lastSeenAt ?? activity[0]?.at ?? null,
    isBlocked: isGuestId(id) ? await isBlockedGuest(database, id) : isBlocked,
    activity,
  };
}
