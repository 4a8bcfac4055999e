import { onlineChannel, type Visitor } from "./channels.ts";
import { isHosted } from "./client_settings.ts";
import type { Services } from "./services.ts";

/** What a page says before its script runs. */
export interface OnlineCount {
  /** Users online, or null when the pages connect to a foreign server, whose list is not ours. */
  initialCount: number | null;
  /** When that was true, as ISO 8601. */
  asOf: string;
}

/**
 * How many users are online, with the one who looks at the page: they are about to join, and a
 * number that jumps by one at every first look would be a flicker.
 */
export function onlineCount({ config, realtime }: Services, visitor: Visitor | null): OnlineCount {
  const asOf = new Date().toISOString();
  if (isHosted(config.pusher)) return { initialCount: null, asOf };
  const { users, userIds } = realtime.presence(onlineChannel);
  const joins = visitor !== null && !userIds.includes(visitor.id);
  return { initialCount: users + (joins ? 1 : 0), asOf };
}
