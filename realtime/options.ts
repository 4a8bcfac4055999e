import { type Clock, systemClock } from "./timing/clock.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import type { AppConfig } from "./app_config.ts";
import { withDefaults } from "./defaults.ts";

/** One line of the log. No field ever holds a secret, a signature or a member's data. */
export interface LogEntry {
  level: "info" | "warn" | "error";
  message: string;
  [field: string]: unknown;
}

/** How a server behaves; only the apps have no default. */
export interface RealtimeOptions extends Partial<Limits> {
  /** The apps that are served, at least one; no two share an id or a key. */
  apps: AppConfig[];
  /** How long a user whose last connection closed stays a member; 0: not at all. 1,500. */
  presenceGraceMs?: number;
  /**
   * A peer is pinged after half of this without a sign of life, and closed after all of it. 25, so
   * that half-open connections are found within 30 s with room to spare.
   */
  idleTimeoutSeconds?: number;
  /** After how long a silence clients shall ping. 30. */
  activityTimeoutSeconds?: number;
  /** How long {@link RealtimeServer.drain} takes to close all connections. 3,000. */
  drainMs?: number;
  log?: (entry: LogEntry) => void;
  clock?: Clock;
}

/** Options with the defaults filled in. */
export type Settings = Required<RealtimeOptions>;

/** Fills in the defaults. */
export function settingsOf(options: RealtimeOptions): Settings {
  const defaults = {
    ...defaultLimits,
    presenceGraceMs: 1_500,
    idleTimeoutSeconds: 25,
    activityTimeoutSeconds: 30,
    drainMs: 3_000,
    log: () => {},
    clock: systemClock,
  };
  return withDefaults(defaults, options);
}
