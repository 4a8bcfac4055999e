/** How many users a counted channel has. */
export interface CountedUsers {
  /** The channel as the setting names it. */
  key: string;
  users: number;
}

/** Payload of the event `CountedChanged`: the users of all counted channels. */
export interface CountedTotals {
  /** In milliseconds since 1970, by the server's clock. */
  at: number;
  /** A user in several channels of an app is one; users of different apps are different people. */
  users: number;
  /** How many of the users are guests; absent when none is. */
  guests?: number;
  /** In the order of the setting. */
  channels: CountedUsers[];
}

/** How pages write a counted channel. */
export interface CountedName {
  key: string;
  channel: string;
  /** The name of its app; absent for the app of Rollcall's own pages. */
  app?: string;
}

/** The key of the channel whose members are the users online. */
export const onlineKey = "presence-chart";

/** The key of a channel: its name, after `APP_ID/` unless it is of the app of Rollcall's own pages. */
export function countedKey(appId: string | undefined, channel: string): string {
  return appId === undefined ? channel : `${appId}/${channel}`;
}

/** The path of the live view of a counted channel. */
export function onlineViewPath(key: string): string {
  if (key === onlineKey) return "/admin/online";
  return `/admin/online?${new URLSearchParams({ channel: key })}`;
}

/** Whether the users of a channel belong to the app of Rollcall's own pages, by its key. */
export function isOfOwnApp(key: string): boolean {
  return !key.includes("/");
}
