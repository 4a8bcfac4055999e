import { keepSubscribed, type Subscribable } from "../connection/resubscription.ts";
import { atMostEvery } from "../page/at_most_every.ts";
import type { PresenceEvent } from "./presence.ts";
import type { Recovery } from "@/shared/recovery.ts";
import type { Stale } from "@/shared/servers.ts";
import "../page/every_page_scripts.ts";
import {
  authorizedCount,
  isSignOut,
  reportActivity,
  sharedEcho,
  watchConnection,
} from "../connection/echo.ts";
import type { ReportedChannel } from "../connection/pusher_js.d.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { text } from "@/shared/language.ts";

/** The part of pusher-js's list of a presence channel's members that {@link memberIds} reads. */
export interface MemberList {
  members: Record<string, unknown>;
}

/** The ids of all members, as pusher-js keeps them up to date. */
export function memberIds(list: MemberList): string[] {
  return Object.keys(list.members);
}

/** Joins and leaves are reported at most this often, in milliseconds: a report copies all ids. */
const listEveryMs = 250;

/** The part of a presence channel of Echo that {@link reportMembers} uses. */
export interface MemberChannel extends Subscribable {
  subscription: Subscribable["subscription"] & { subscribed: boolean };
  here(callback: () => void): unknown;
  joining(callback: () => void): unknown;
  leaving(callback: () => void): unknown;
  listen<Payload>(event: string, callback: (payload: Payload) => void): unknown;
}

/** The data of the event `rollcall:count`. */
export interface MemberCount {
  users: number;
  /** How many of the users are guests; absent when none is. */
  guests?: number;
}

/** What {@link reportMembers} takes from its surroundings. */
export interface MemberReports {
  report(event: PresenceEvent): void;
  /** What the server answered to the subscription. */
  authorized(): { recovery: Recovery | null; isQuiet: boolean };
  /** The subscription was refused in a way in which readers are who signed out. */
  mayBeSignedOut(): void;
}

/** Reports the members of a channel as they come and go, and what becomes of the subscription. */
export function reportMembers(
  channel: MemberChannel,
  { report, authorized, mayBeSignedOut }: MemberReports,
): void {
  const list = () => {
    const { recovery, isQuiet } = authorized();
    // The list of a quiet member has only itself; the number follows.
    if (isQuiet) return;
    // The types of Echo name a channel of any kind, which has no members.
    const { members } = channel.subscription as unknown as { members: MemberList };
    report({ type: "here", ids: memberIds(members), recovery, at: Date.now() });
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
  channel.listen<MemberCount>(".rollcall:count", (count) => {
    report({ type: "counted", ...count, recovery: authorized().recovery, at: Date.now() });
  });
  channel.listen<Stale>("Stale", ({ since }) => {
    report({ type: "stale", since, at: Date.now() });
  });
  keepSubscribed(channel, {
    refused(reason, isOfSession) {
      report({ type: "refused", reason, at: Date.now() });
      if (isOfSession) mayBeSignedOut();
    },
    failed: () => report({ type: "dropped", at: Date.now() }),
  });
}

/**
 * Reports whether this tab is used, while the server takes reports from the page.
 *
 * @returns what ends it.
 */
export function reportUse(
  channel: ReportedChannel,
  authorized: () => { takesActivity: boolean },
): () => void {
  const subscribed = { get: () => channel.subscribed && authorized().takesActivity };
  return reportActivity(Object.create(channel, { subscribed }));
}

/** The name by which Echo knows the presence channel whose members are the users online. */
const channelName = "chart";

/** How often `report` gets a tick, in milliseconds. */
const tickMs = 1_000;

/** Joins the presence channel over the page's connection and reports its events. */
export function connectPresence(
  settings: ClientSettings,
  report: (event: PresenceEvent) => void,
): void {
  const echo = sharedEcho(settings);
  let signOut = text`You've been signed out.`;
  echo.connector.pusher.connection.bind("error", (error: unknown) => {
    if (isSignOut(error)) signOut = text`You signed out in another tab.`;
  });
  const mayBeSignedOut = async (reason: string) => {
    // Few pages need it. The server may serve another build by now.
    const signedOut = await import("./signed_out.ts").catch(() => null);
    await signedOut?.leaveIfSignedOut(settings.authEndpoint, reason);
  };
  watchConnection(echo, (event) => {
    report(event);
    if (event.type === "refused") void mayBeSignedOut(event.reason);
  });
  const channel = echo.join(channelName);
  reportMembers(channel, {
    report,
    authorized: authorizedCount,
    mayBeSignedOut: () => void mayBeSignedOut(signOut),
  });
  reportUse(channel.subscription, authorizedCount);
  setInterval(() => report({ type: "tick", at: Date.now() }), tickMs);
}
