import type { ClientSettings } from "../shared/client_settings.ts";
import { onlineChannel } from "../channels.ts";
import { clientSettings, isHosted } from "../config/client_settings.ts";
import type { State } from "../state.ts";
import { servesHttps } from "../config/config.ts";

/** What an island needs to show the live number: the number of now, and how to hear of changes. */
export interface LiveCount {
  settings: ClientSettings;
  /** Users online, or null when the pages connect to a foreign server, whose list is not ours. */
  initialCount: number | null;
  /** When that was true, as ISO 8601. */
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
 * How many users are online, with the one who looks at the page: they are about to join, and a
 * number that jumps by one at every first look would be a flicker.
 */
function usersOnline({ ownApp, visitor }: State): number {
  const { users, userIds } = ownApp.presence(onlineChannel);
  const joins = visitor !== null && !userIds.includes(visitor.id);
  return users + (joins ? 1 : 0);
}
