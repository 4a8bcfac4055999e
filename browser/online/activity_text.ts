import type { LeaveReason } from "../../shared/online.ts";
import type { Activity, PersonKind } from "../../shared/online.ts";

/** Why somebody left, in words. */
export const reasonText: Record<LeaveReason, string> = {
  closed: "closed the last page",
  timed_out: "timed out",
  unsubscribed: "left the channel",
  signed_out: "signed out",
  removed: "removed by an admin",
  refused: "broke a limit",
  server_restart: "server restart",
};

/** What the kinds of people are called. */
export const kindText: Record<PersonKind, string> = {
  user: "User",
  guest: "Guest",
  foreign: "Other application",
};

/** Whether somebody came or went. */
export const changeText: Record<Activity["change"], string> = { joined: "Joined", left: "Left" };
