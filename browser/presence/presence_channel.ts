import { keepSubscribed, type Subscribable } from "../connection/resubscription.ts";
import { atMostEvery } from "../timing/at_most_every.ts";
import { memberIds, type MemberList } from "./member_ids.ts";
import type { PresenceEvent } from "./presence.ts";
import type { Recovery } from "../../shared/recovery.ts";

/** Joins and leaves are reported at most this often, in milliseconds: a report copies all ids. */
const listEveryMs = 250;

/** The part of a presence channel of Echo that {@link reportMembers} uses. */
export interface MemberChannel extends Subscribable {
  subscription: Subscribable["subscription"] & { subscribed: boolean };
  here(callback: () => void): unknown;
  joining(callback: () => void): unknown;
  leaving(callback: () => void): unknown;
}

/** What {@link reportMembers} takes from its surroundings. */
export interface MemberReports {
  report(event: PresenceEvent): void;
  /** What the server answered to the subscription. */
  recovery(): Recovery | null;
  /** Why the reader is no longer signed in, as a sentence; null when the reader is, or may be. */
  signedOut(): Promise<string | null>;
}

/** Reports the members of a channel as they come and go, and what becomes of the subscription. */
export function reportMembers(
  channel: MemberChannel,
  { report, recovery, signedOut }: MemberReports,
): void {
  const list = () => {
    // The types of Echo name a channel of any kind, which has no members.
    const { members } = channel.subscription as unknown as { members: MemberList };
    report({ type: "here", ids: memberIds(members), recovery: recovery(), at: Date.now() });
  };
  const changed = atMostEvery(listEveryMs, () => {
    // pusher-js empties the list of a connection that was lost.
    if (channel.subscription.subscribed) list();
  });
  // Another part of the page may have joined before.
  if (channel.subscription.subscribed) list();
  channel.here(list);
  // Echo passes on `user_info` alone, which need not identify a user; the list has the ids.
  channel.joining(changed);
  channel.leaving(changed);
  keepSubscribed(channel, {
    async refused(reason, mayBeSignedOut) {
      const signOut = mayBeSignedOut ? await signedOut() : null;
      const isSignedOut = signOut !== null;
      report({ type: "refused", reason: signOut ?? reason, isSignedOut, at: Date.now() });
    },
    failed: () => report({ type: "dropped", at: Date.now() }),
  });
}
