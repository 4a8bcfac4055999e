import type { AppSettings } from "../app_config.ts";
import type { LimitName } from "../connections/refusals.ts";
import type { Member } from "../protocol/users.ts";

/** A limit of presence channels. */
export type PresenceLimit = LimitName & ("members" | "loudMembers" | "memberList");

/** A presence channel that is open, as its limits see it. */
interface Limited {
  /** See `PresenceChannel`. */
  hasRoomFor(userId: string, maxMembers: number): boolean;
  hasLoudRoomFor(userId: string, maxLoudMembers: number): boolean;
  /** The length of the member list. */
  readonly members: { readonly length: number };
}

/**
 * The limit of an open presence channel that a subscription would exceed, if one. Who is quiet is sent no
 * member list; who observes is no member.
 *
 * @param maxListLength how long the member list may be for loud subscribers.
 */
export function exceededPresenceLimit(
  channel: Limited,
  { id, profile }: Member,
  isQuiet: boolean,
  settings: Pick<AppSettings, "presenceMaxLoudMembers" | "presenceMaxMembers">,
  maxListLength: number,
): PresenceLimit | undefined {
  const { presenceMaxLoudMembers, presenceMaxMembers } = settings;
  const isMember = !profile?.observe;
  if (isMember && !channel.hasRoomFor(id, presenceMaxMembers)) return "members";
  if (isQuiet) return undefined;
  if (isMember && !channel.hasLoudRoomFor(id, presenceMaxLoudMembers)) return "loudMembers";
  return channel.members.length > maxListLength ? "memberList" : undefined;
}
