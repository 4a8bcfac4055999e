import type { Activity, LeaveReason, PersonKind } from "@/shared/online.ts";

/** Why a person left. */
export const reasonText: Record<LeaveReason, string> = {
  closed: "closed the page",
  timed_out: "lost connection",
  unsubscribed: "left the channel",
  signed_out: "signed out",
  removed: "removed by an admin",
  refused: "exceeded a limit",
  server_restart: "server restarted",
  server_lost: "server lost",
};

/** The kinds of people. @param source the name of your own app, where there are several */
export function kindTexts(source = "Your app"): Record<PersonKind, string> {
  return { user: "User", guest: "Guest", foreign: source };
}

/** Whether a person joined or left. */
export const changeText: Record<Activity["change"], string> = { joined: "Joined", left: "Left" };
