import { type Clock, systemClock } from "./deadlines.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import type { App } from "./signature.ts";

/** One line of the log. No field ever holds a secret, a signature or a member's data. */
export interface LogEntry {
  level: "info" | "warn" | "error";
  message: string;
  [field: string]: unknown;
}

/** How a server behaves; only the app has no default. */
export interface RealtimeOptions extends Partial<Limits> {
  app: App;
  /** How long a user whose last connection closed stays a member; 0: not at all. 1,500. */
  presenceGraceMs?: number;
  /** Origins whose pages may connect, `*` for any. Clients that send no origin are no pages. Any. */
  allowedOrigins?: string[];
  /**
   * A peer is pinged after half of this without a sign of life, and closed after all of it. 25, so
   * that half-open connections are found within 30 s with room to spare.
   */
  idleTimeoutSeconds?: number;
  /** After how long a silence clients shall ping. 30. */
  activityTimeoutSeconds?: number;
  /** A connection that authorized for nothing in this time is closed; 0: never. 0. */
  joinTimeoutMs?: number;
  /** How long {@link RealtimeServer.drain} takes to close all connections. 3,000. */
  drainMs?: number;
  log?: (entry: LogEntry) => void;
  clock?: Clock;
}

/** Options with the defaults filled in. */
export type Settings = Required<Omit<RealtimeOptions, "allowedOrigins">> & {
  allowedOrigins?: string[];
};

/** Fills in the defaults; an option that is present but undefined takes its default too. */
export function settingsOf(options: RealtimeOptions): Settings {
  const defaults = {
    ...defaultLimits,
    presenceGraceMs: 1_500,
    idleTimeoutSeconds: 25,
    activityTimeoutSeconds: 30,
    joinTimeoutMs: 0,
    drainMs: 3_000,
    log: () => {},
    clock: systemClock,
  };
  const given = { ...options };
  for (const name of Object.keys(given) as (keyof RealtimeOptions)[]) {
    if (given[name] === undefined) delete given[name];
  }
  return { ...defaults, ...given };
}
