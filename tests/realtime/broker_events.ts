import type { Membership } from "../../realtime/brokers/broker.ts";
import type { Member } from "../../realtime/protocol/users.ts";

/** The presence channel of tests without a server. */
export const channel = "presence-room";

export function member(id: string, info = "{}"): Member {
  return { id, info };
}

/** The event that a member was added. */
export function added(version: number, id: string): Membership {
  return { type: "added", version, member: member(id) };
}

/** The event that a member was removed. */
export function removed(version: number, userId: string): Membership {
  return { type: "removed", version, userId };
}
