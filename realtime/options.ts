import type { Budget } from "./timing/budget.ts";
import { type AppConfig, withDefaults } from "./app_config.ts";
import type { MakeBroker } from "./brokers/broker.ts";
import { type Clock, systemClock } from "./timing/clock.ts";

/** How much untrusted clients can make the server keep. The limits of one app are in `AppRules`. */
export interface Limits {
  /** A client frame, in bytes. */
  maxFrameBytes: number;
  /**
   * What may wait for one client that takes nothing, in bytes, apart from member lists; a client that
   * exceeds it is closed with 4100.
   */
  maxBufferedBytes: number;
  /**
   * What may wait for all clients together that take nothing, in bytes; the clients for which most
   * waits are closed with 4100. Half of it is for member lists, which wait for each other.
   */
  maxTotalBufferedBytes: number;
  /** Channels of one connection. */
  maxSubscriptionsPerConnection: number;
  /**
   * Subscriptions of one connection over time, whether it still has them or not; twice what it may
   * have is enough for pages that change all of their channels.
   */
  subscriptionBudget: Budget;
  /**
   * Frames that clients of one remote address cause by joining presence channels after they left one:
   * each join and each leave is sent to every member that is not quiet. A join counts as 50 at least.
   */
  rejoinBudget: Budget;
  /**
   * The ids and `user_info` of the members of a presence channel together, in characters, of which a
   * list is sent. Where they are longer, further connections have to be quiet.
   */
  maxMemberListLength: number;
  /** Open connections; further clients are closed with 4100 and retry. */
  maxConnections: number;
  /**
   * Open connections of one remote address, including ones whose peer has not answered the close. 0: no
   * limit of any kind by address, where all clients share the address of a proxy.
   */
  maxConnectionsPerAddress: number;
  /**
   * Sockets that were refused and whose peer has not answered the close; for further ones the HTTP
   * upgrade is refused.
   */
  maxRefusedSockets: number;
  /** Connections of one remote address. */
  maxRefusedSocketsPerAddress: number;
  /** Channels of one app that exist at once. */
  maxChannels: number;
  /** Public ones among them, which anyone can open: the rest is left to signed ones. */
  maxPublicChannels: number;
  /** Public ones among them that clients of one remote address opened. */
  maxPublicChannelsPerAddress: number;
  /** Errors of a connection within ten seconds; the next one closes it with 4009. */
  maxErrors: number;
}

/** The limits of a server that sets none. */
export const defaultLimits: Limits = {
  maxFrameBytes: 16_384,
  maxBufferedBytes: 1_048_576,
  maxTotalBufferedBytes: 268_435_456,
  maxSubscriptionsPerConnection: 100,
  subscriptionBudget: { burst: 200, perSecond: 2 },
  rejoinBudget: { burst: 20_000, perSecond: 5_000 },
  maxMemberListLength: 33_554_432,
  maxConnections: 50_000,
  maxConnectionsPerAddress: 1_000,
  maxRefusedSockets: 1_000,
  maxRefusedSocketsPerAddress: 50,
  maxChannels: 100_000,
  maxPublicChannels: 80_000,
  maxPublicChannelsPerAddress: 20_000,
  maxErrors: 50,
};

/** A line of the log. No field holds a secret, a signature or a member's data. */
export interface LogEntry {
  level: "info" | "warn" | "error";
  message: string;
  [field: string]: unknown;
}

/** The options of a server; all but the apps have a default. */
export interface RealtimeOptions extends Partial<Limits> {
  /** The apps to serve, at least one; each has its own id and key. */
  apps: readonly AppConfig[];
  /**
   * The leave grace: how long a user whose last connection closed stays a member, in milliseconds.
   * 0: not at all. Default 1,500.
   */
  presenceGraceMs?: number;
  /**
   * A peer is pinged after half of this time without a sign of life, and closed after all of it.
   * Default 25, so that half-open connections are found well within 30 s.
   */
  idleTimeoutSeconds?: number;
  /** How long clients may be silent before they ping the server. Default 30. */
  activityTimeoutSeconds?: number;
  /** How long {@link RealtimeServer.drain} takes to close all connections. Default 3,000. */
  drainMs?: number;
  /**
   * Whether a user id is a guest's. Anyone can become any number of guests, so they take no room from
   * users in presence channels. Default: none is.
   */
  isGuest?: (userId: string) => boolean;
  /**
   * Why a user is blocked in an app, as a sentence for the user; undefined for everyone else. It is asked at
   * each join of a presence channel and each sign-in, so it must be quick. Default: no one is.
   */
  blockReason?: (appId: string, userId: string) => string | undefined;
  /** Makes the broker of each app. Default: the broker of a single node. */
  broker?: MakeBroker;
  /**
   * The number of this server among others, of 32 bits. It is the first half of the socket ids, so that
   * other servers know which one has a socket. Default: there is no other server.
   */
  serverNumber?: number;
  log?: (entry: LogEntry) => void;
  clock?: Clock;
}

/** {@link RealtimeOptions} with a value for each option that has a default. */
export type ResolvedOptions =
  & Required<Omit<RealtimeOptions, "broker" | "serverNumber">>
  & Pick<RealtimeOptions, "broker" | "serverNumber">;

/** Fills in the defaults. */
export function resolveOptions(options: RealtimeOptions): ResolvedOptions {
  const defaults = {
    ...defaultLimits,
    presenceGraceMs: 1_500,
    idleTimeoutSeconds: 25,
    activityTimeoutSeconds: 30,
    drainMs: 3_000,
    isGuest: () => false,
    blockReason: () => undefined,
    log: () => {},
    clock: systemClock,
  };
  return withDefaults(defaults, options);
}
