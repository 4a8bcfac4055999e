import type { ClientSettings } from "@/shared/client_settings.ts";
import { onlineChannel } from "@/server/presence/channels.ts";
import { clientSettings, usesExternalServer } from "@/server/config/client_settings.ts";
import type { State } from "./state.ts";
import type { ShownDoubt } from "@/shared/recovery.ts";
import { servesHttps } from "@/server/config/config.ts";

/** The properties of an island that shows the live number. */
export interface LiveCount extends ShownDoubt {
  settings: ClientSettings;
  /** Users online; null with an external Pusher server, whose member list is not known. */
  initialCount: number | null;
  /** The time of that number, as ISO 8601. */
  asOf: string;
}

/** The live number for the visitor of a page. */
export function liveCount(state: State, page: URL): LiveCount {
  const { config, pusherApp, servers } = state;
  return {
    settings: clientSettings(config.pusher, pusherApp.key, page, servesHttps(config)),
    initialCount: usesExternalServer(config.pusher) ? null : usersOnline(state),
    asOf: new Date().toISOString(),
    recovery: state.counted[0].recovery.shown,
    standsStillSince: servers.standsStillSince ?? null,
  };
}

/**
 * How many users are online, the visitor included. The page is about to join, so without this the number
 * would jump by one right after the page is drawn. An observer does not join.
 */
function usersOnline({ isObserver, ownApp, visitor }: State): number {
  const { users } = ownApp.presence.counts(onlineChannel);
  const joins = visitor !== null && !isObserver &&
    !ownApp.presence.isMember(onlineChannel, visitor.id);
  return users + (joins ? 1 : 0);
}
