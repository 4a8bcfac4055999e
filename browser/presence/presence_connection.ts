import "../every_page.ts";
import { sharedEcho, watchConnection } from "../connection/connection.ts";
import type { ClientSettings } from "../../shared/client_settings.ts";
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
  watchConnection(echo, report);
  reportMembers(echo.join(channelName), report);
  setInterval(() => report({ type: "tick", at: Date.now() }), tickMs);
}
