import { byteLength } from "./outgoing.ts";

/**
 * Every code that this server closes a socket with, and the meaning that the Pusher protocol 7 gives
 * it: a client decides by the code alone whether it connects again. 4000 to 4099: it stops until the
 * page is reloaded; 4100 to 4199: it connects again after one second; 4200 to 4299: at once.
 */
export const closeCodes = {
  noSuchApp: 4001,
  appDisabled: 4003,
  overQuota: 4004,
  pathNotFound: 4005,
  unsupportedProtocol: 4007,
  noProtocol: 4008,
  notAuthorized: 4009,
  overCapacity: 4100,
  reconnect: 4200,
  noPong: 4201,
} as const;

/** Codes of `pusher:error` after which the connection stays open. */
export const errorCodes = {
  /** A client event over the app's rate limit. */
  clientEventRate: 4301,
  /** A watchlist with more than 100 users. */
  watchlistTooLong: 4302,
} as const;

/** Why a socket is closed. */
export interface Close {
  readonly code: number;
  /** The reason of the close frame; one of more than 123 bytes is left out of it. */
  readonly reason: string;
}

/** The protocol versions that a client may speak. */
export const protocolVersions = { lowest: 5, highest: 7 };

/**
 * Every close that the server decides on by itself, with its code and reason text. A server's own
 * code closes with reasons of its own: see `AppConnections.closeUser`.
 */
export const closes = {
  /** @param key as the client sent it; its first 100 characters are repeated. */
  noSuchApp: (key: string): Close => ({
    code: closeCodes.noSuchApp,
    reason: `App key ${key.slice(0, 100)} does not exist`,
  }),
  appRemoved: { code: closeCodes.noSuchApp, reason: "The app does not exist" },
  appDisabled: { code: closeCodes.appDisabled, reason: "The app is disabled" },
  appFull: (maxConnections: number): Close => ({
    code: closeCodes.overQuota,
    reason: `The app has reached its limit of ${maxConnections} connections`,
  }),
  pathNotFound: { code: closeCodes.pathNotFound, reason: "Path not found" },
  unsupportedProtocol: {
    code: closeCodes.unsupportedProtocol,
    reason:
      `Protocol versions ${protocolVersions.lowest} to ${protocolVersions.highest} are supported`,
  },
  noProtocol: { code: closeCodes.noProtocol, reason: "No protocol version supplied" },
  originNotAllowed: { code: closeCodes.notAuthorized, reason: "Origin not allowed" },
  joinTimeout: {
    code: closeCodes.notAuthorized,
    reason: "No authorized subscription or sign-in in time",
  },
  tooManyErrors: { code: closeCodes.notAuthorized, reason: "Too many errors" },
  /** The user joins or signs in, and is blocked. @param reason a sentence for the user */
  blocked: (reason: string): Close => ({ code: closeCodes.notAuthorized, reason }),
  /** The app's server called `terminate_connections`. */
  terminated: { code: closeCodes.notAuthorized, reason: "Terminated" },
  /** What the client may do has changed. */
  signAgain: { code: closeCodes.reconnect, reason: "Permissions have changed" },
  /** This server's own code closed it and gave no reason. */
  closed: { code: closeCodes.notAuthorized, reason: "Closed" },
  serverFull: {
    code: closeCodes.overCapacity,
    reason: "The server has reached its limit of connections",
  },
  addressFull: (maxConnections: number): Close => ({
    code: closeCodes.overCapacity,
    reason: `Your address has reached its limit of ${maxConnections} connections. ` +
      "Behind a proxy, set TRUSTED_PROXIES",
  }),
  sendBufferFull: { code: closeCodes.overCapacity, reason: "Send buffer full" },
  serverFailed: { code: closeCodes.overCapacity, reason: "Internal server error" },
  /**
   * A socket that opens while the server stops. Not 4200: pusher-js would connect again at once, over
   * and over, for as long as the stop takes.
   */
  serverStopping: { code: closeCodes.overCapacity, reason: "The server is stopping" },
  /** An open socket when the server stops. */
  serverStopped: { code: closeCodes.reconnect, reason: "The server is stopping" },
  /** A socket that opens on a server that sends its clients to others; not 4200, as for one that stops. */
  sendingAway: { code: closeCodes.overCapacity, reason: "Connect to another server" },
  /** An open socket of a server that sends its clients to others. */
  sentAway: { code: closeCodes.reconnect, reason: "Connect to another server" },
  sendBufferStalled: { code: closeCodes.noPong, reason: "Send buffer stalled" },
} as const satisfies Record<string, Close | ((value: never) => Close)>;

/** A close frame has no room for more (RFC 6455, 5.5). */
const maxReasonBytes = 123;

/** The reason for a close frame; none where it is too long for one. */
export function fittingReason(reason: string): string {
  return byteLength(reason) <= maxReasonBytes ? reason : "";
}
