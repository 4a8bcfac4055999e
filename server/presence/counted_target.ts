import { adminChannel, countedPagesChannel } from "./channels.ts";
import { countedKey, onlineKey } from "@/shared/counted.ts";

/** A channel that is counted. */
export interface CountedTarget {
  /** Identifies it in addresses and in the database, whatever the id of the own app is. */
  readonly key: string;
  readonly appId: string;
  readonly channel: string;
  /** Whether it is of the app of Rollcall's own pages. */
  readonly isOwn: boolean;
  /** The channel on which admins' pages receive its changes. */
  readonly pagesChannel: string;
}

/**
 * The channels that are counted: the users online, which always is, and then the named ones, each
 * once.
 *
 * @param ownAppId of the app of Rollcall's own pages, which a name may state.
 */
export function countedTargets(
  named: readonly { appId?: string; channel: string }[],
  ownAppId: string,
): CountedTarget[] {
  const all = [{ channel: onlineKey }, ...named].map(({ appId, channel }) => {
    const isOwn = appId === undefined || appId === ownAppId;
    const key = countedKey(isOwn ? undefined : appId, channel);
    return { key, appId: appId ?? ownAppId, channel, isOwn, pagesChannel: pagesChannelOf(key) };
  });
  return [...new Map(all.map((target) => [target.key, target])).values()];
}

function pagesChannelOf(key: string): string {
  return key === onlineKey ? adminChannel : countedPagesChannel(key);
}
