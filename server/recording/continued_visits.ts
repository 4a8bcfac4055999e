import type { Member } from "@/realtime/protocol/users.ts";
import { storedUserId } from "../activity/activity_rows.ts";
import type { OpenVisit } from "../activity/activity_log.ts";
import type { PresenceChange } from "../activity/activity_recorder.ts";

/** What is known of a channel when a server continues what another one recorded. */
export interface KnownVisits {
  /** The key of the channel. */
  channel: string;
  /** Who has joined and not left, as far as it is stored. */
  open: readonly OpenVisit[];
  /** What waits to be stored, in its order. */
  waiting: readonly PresenceChange[];
  /** The members of the channel. */
  members: readonly Member[];
  /** Whom entries of the log are about that may be later than the members are. */
  touched: ReadonlySet<string>;
  /** When others left of whom the log does not know when, in ms since 1970. */
  leftAt: number;
  /** Now, in ms since 1970. */
  now: number;
}

/**
 * What has to be recorded so that those who have joined and not left are the members, where the log does
 * not explain the difference: it was lost, or a server recorded before without a log. Pure.
 */
export function missingChanges(known: KnownVisits): PresenceChange[] {
  const { channel, members, touched, leftAt, now } = known;
  const open = openVisits(known);
  const present = new Set(members.map(({ id }) => storedUserId(id)));
  const lefts = open.values().filter(({ userId }) => !present.has(userId) && !touched.has(userId))
    .map(({ userId, since, name }): PresenceChange => ({
      ...{ channel, change: "left", userId, at: Math.max(since, leftAt), reason: "server_lost" },
      member: name === null ? undefined : { id: userId, info: "{}", profile: { name } },
    }));
  const joins = members
    .filter(({ id }) => !open.has(storedUserId(id)) && !touched.has(storedUserId(id)))
    .map((member): PresenceChange => (
      { channel, change: "joined", at: now, userId: member.id, member }
    ));
  return [...lefts, ...joins];
}

/** Who has joined and not left, once everything is stored that waits. */
function openVisits({ channel, open, waiting }: KnownVisits): Map<string, OpenVisit> {
  const visits = new Map(open.map((visit) => [visit.userId, visit]));
  for (const { channel: of, change, userId, at, member } of waiting) {
    if (of !== channel) continue;
    const id = storedUserId(userId);
    if (change === "left") visits.delete(id);
    else visits.set(id, { userId: id, since: at, name: member?.profile?.name ?? null });
  }
  return visits;
}
