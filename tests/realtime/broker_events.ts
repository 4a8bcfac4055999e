import type { ChannelListener, Membership } from "@/realtime/brokers/broker.ts";
import type { Member } from "@/realtime/protocol/member.ts";

/** The presence channel of tests without a server. */
export const channel = "presence-room";

/** A broker's listener for which nothing matters but what a test gives. */
export function listenerOf(given: Partial<ChannelListener>): ChannelListener {
  return {
    onOpened() {},
    onMembership() {},
    onSnapshot() {},
    onClaimed() {},
    onFull() {},
    listed: () => undefined,
    onPublished() {},
    onSubscribers() {},
    ...given,
  };
}

export function member(id: string, info = "{}"): Member {
  return { id, info };
}

/** The event that a member was added. */
export function added(version: number, id: string): Membership {
  return { type: "added", previous: version - 1, version, member: member(id) };
}

/** The event that a member was updated. */
export function updated(version: number, member: Member): Membership {
  const updated = { ...member, isUpdated: true };
  return { type: "updated", previous: version - 1, version, member: updated };
}

/** The event that a member was removed. */
export function removed(version: number, userId: string): Membership {
  return { type: "removed", previous: version - 1, version, userId };
}
