import "../page/every_page_scripts.ts";
import {
  authorizedCount,
  isSignOut,
  sharedEcho,
  watchConnection,
} from "../connection/connection.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { reportMembers } from "./presence_channel.ts";
import type { PresenceEvent } from "./presence.ts";

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
  let signOut = "You've been signed out.";
  echo.connector.pusher.connection.bind("error", (error: unknown) => {
    if (isSignOut(error)) signOut = "You signed out in another tab.";
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
  reportMembers(echo.join(channelName), {
    report,
    authorized: authorizedCount,
    mayBeSignedOut: () => void mayBeSignedOut(signOut),
  });
  setInterval(() => report({ type: "tick", at: Date.now() }), tickMs);
}
