/** Why a server closes a socket (Pusher protocol 7): the code decides whether a client comes back. */
export const closeCodes = {
  /** The client stops for ever. */
  noSuchApp: 4001,
  /** The client stops for ever. */
  appDisabled: 4003,
  /** The client stops for ever. */
  overQuota: 4004,
  /** The client stops for ever. */
  pathNotFound: 4005,
  /** The client stops for ever. */
  unsupportedProtocol: 4007,
  /** The client stops for ever. */
  noProtocol: 4008,
  /** The client stops for ever. */
  notAuthorized: 4009,
  /** The client comes back after one second. */
  overCapacity: 4100,
  /** The client comes back at once. */
  reconnect: 4200,
  /** The client comes back at once. */
  noPong: 4201,
} as const;

/** What `pusher:error` says without a close. */
export const errorCodes = {
  /** A client event was over the rate limit. */
  clientEventRate: 4301,
  /** A watchlist names too many users. */
  watchlistTooLong: 4302,
} as const;

/** The protocol versions that are spoken. */
export const protocolVersions = { lowest: 5, highest: 7 };

/** A socket id: digits, dot, digits. */
const socketIdPattern = /^\d{1,20}\.\d{1,20}$/;

/** Whether a text has the form of a socket id. */
export function isSocketId(text: string): boolean {
  return socketIdPattern.test(text);
}

/** The names of channels that anybody can ask for. */
const channelNamePattern = /^[A-Za-z0-9_\-=@,.;]{1,164}$/;

/** Whether a text may name a channel; the channel of one user's server events is not among them. */
export function isChannelName(text: string): boolean {
  return channelNamePattern.test(text);
}

/** What a channel asks of a subscriber: nothing, a signature, or a signature and who it is. */
export type ChannelKind = "public" | "private" | "presence";

/** The kind of a channel, by the prefix of its name; encrypted and cache channels are of these too. */
export function channelKind(name: string): ChannelKind {
  if (name.startsWith("presence-")) return "presence";
  return name.startsWith("private-") ? "private" : "public";
}

/** Whether the events of a channel are encrypted: the server passes them on and cannot read them. */
export function isEncryptedChannel(name: string): boolean {
  return name.startsWith("private-encrypted-");
}

/** Whether a newcomer to a channel gets its last event. */
export function isCacheChannel(name: string): boolean {
  return /^(private-encrypted-|private-|presence-)?cache-/.test(name);
}

/** The channel of the server's events for one user; only a connection signed in as it may join. */
export function serverToUserChannel(userId: string): string {
  return `#server-to-user-${userId}`;
}

/** Whether a text names the channel of the server's events for one user. */
export function isUserChannelName(text: string): boolean {
  const prefix = serverToUserChannel("");
  const idLength = text.length - prefix.length;
  return text.startsWith(prefix) && idLength > 0 && idLength <= maxUserIdLength;
}

/** How many users one user may watch. */
export const maxWatchlistLength = 100;

/** The longest user id, in UTF-16 units. */
export const maxUserIdLength = 128;
