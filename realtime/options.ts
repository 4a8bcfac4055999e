import type { AppConfig } from "./app_config.ts";
import type { MakeBroker } from "./brokers/broker.ts";
import { withDefaults } from "./defaults.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import { type Clock, systemClock } from "./timing/clock.ts";

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
  /** Makes the broker of each app. Default: that of a single node. */
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
    log: () => {},
    clock: systemClock,
  };
  return withDefaults(defaults, options);
}
