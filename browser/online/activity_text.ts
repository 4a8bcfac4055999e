import type { Activity } from "../../online/changes.ts";
import type { PersonKind } from "../../online/person.ts";
import type { LeaveReason } from "../../realtime/server.ts";

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
