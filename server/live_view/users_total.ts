import type { CountedTotals } from "@/shared/counted.ts";

/** The users of a counted channel. */
export interface ChannelUsers {
  key: string;
  appId: string;
  userIds: readonly string[];
}

/** The users of several channels, each once. Pure. */
export function usersTotal(channels: readonly ChannelUsers[]): Omit<CountedTotals, "at"> {
  const byApp = Map.groupBy(channels, ({ appId }) => appId);
  let users = 0;
  for (const ofApp of byApp.values()) users += distinct(ofApp.map(({ userIds }) => userIds));
  return { users, channels: channels.map(({ key, userIds }) => ({ key, users: userIds.length })) };
}

/** How many different ids lists have, each without repetitions. */
function distinct([first = [], ...others]: readonly (readonly string[])[]): number {
  if (others.length === 0) return first.length;
  const ids = new Set(first);
  for (const list of others) for (const id of list) ids.add(id);
  return ids.size;
}
