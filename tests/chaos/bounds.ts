import { resolveOptions } from "@/realtime/options.ts";

/** How the servers are set, and what follows from it for the promises. Times are in milliseconds. */
export interface Bounds {
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  /** How long a user stays in the list after the last connection closed. */
  readonly graceMs: number;
  /** The time over which a server that stops closes its sockets. */
  readonly drainMs: number;
  /** How long a server that stops leaves its users in the list. */
  readonly returnMs: number;
  /** What a busy machine adds to each step: processes, the tool's own event loop. */
  readonly slackMs: number;
}

/** How a user's last connection ended, or why it is not known to its server's peers. */
export type Ending =
  | "closed"
  | "unsubscribed"
  | "client frozen"
  | "server killed"
  | "server stopped"
  | "cut off";

const { idleTimeoutSeconds } = resolveOptions({ apps: [] });

/** For how long a frozen client keeps its connection at least: it may have been frozen before a ping. */
export const keptWhileFrozenMs = idleTimeoutSeconds * 500 - 500;

/** After how long a frozen client has lost its connection, in milliseconds. */
export const lostWhenFrozenMs = idleTimeoutSeconds * 1_000;

/** How long a lease lasts at least when its server ends or is partitioned without a warning. */
export function leaseLeft({ heartbeatMs, leaseMs, slackMs }: Bounds): number {
  // The last heartbeat is as old as a heartbeat, and was on its way for a while.
  return Math.max(0, leaseMs - heartbeatMs - slackMs / 2);
}

/** For how long a user may be away without being announced as gone; by how the last connection ended. */
export function silentFor(ending: Ending, bounds: Bounds): number {
  const { graceMs, returnMs } = bounds;
  switch (ending) {
    case "closed":
      return Math.max(0, graceMs - 200);
    case "unsubscribed":
    case "client frozen":
      return 0;
    case "server stopped":
      return Math.max(0, Math.min(returnMs - 300, leaseLeft(bounds)));
    case "server killed":
    case "cut off":
      return leaseLeft(bounds);
  }
}

/** After how long a user is announced as gone at the latest, without what holds events up. */
export function goneAfter(ending: Ending, bounds: Bounds): number {
  const { drainMs, graceMs, leaseMs, returnMs, slackMs } = bounds;
  switch (ending) {
    case "closed":
      return graceMs + slackMs;
    case "unsubscribed":
      return slackMs;
    case "client frozen":
      return lostWhenFrozenMs - keptWhileFrozenMs + graceMs + slackMs;
    case "server stopped":
      return drainMs + returnMs + 1_000 + slackMs;
    case "server killed":
    case "cut off":
      return leaseMs + 2_000 + slackMs;
  }
}
