/** The part of pusher-js's list of a presence channel's members that {@link memberIds} reads. */
export interface MemberList {
  members: Record<string, unknown>;
}

/** The ids of all members, as pusher-js keeps them up to date. */
export function memberIds(list: MemberList): string[] {
  return Object.keys(list.members);
}
