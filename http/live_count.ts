import type { ClientSettings } from "../shared/client_settings.ts";
import { onlineChannel } from "../channels.ts";
import { clientSettings, isHosted } from "../config/client_settings.ts";
import type { State } from "../state.ts";
import { servesHttps } from "../config/config.ts";

/** What an island needs to show the live number: the present number, and how to connect. */
export interface LiveCount {
  settings: ClientSettings;
  /** The users online; null when the pages connect to an external Pusher server. */
  initialCount: number | null;
  /** The time of the number, as ISO 8601. */
  asOf: string;
}

/** The live number for the visitor of the page at `page`. */
export function liveCount(state: State, page: URL): LiveCount {
  const { config, pusherApp } = state;
  return {
    settings: clientSettings(config.pusher, pusherApp.key, page, servesHttps(config)),
    initialCount: isHosted(config.pusher) ? null : usersOnline(state),
    asOf: new Date().toISOString(),
  };
}

/**
 * The number of users online, including the visitor, who joins as soon as the page connects: otherwise
 * the number would change by one at each first visit.
 */
function usersOnline({ realtime, visitor }: State): number {
  const { users, userIds } = realtime.presence(onlineChannel);
  const joins = visitor !== null && !userIds.includes(visitor.id);
  return users + (joins ? 1 : 0);
}
