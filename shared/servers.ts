/**
 * The servers that share the count of an installation, as pages show them.
 *
 * @module
 */

/**
 * What a server last reported of itself. Times are in milliseconds since 1970, by the clock of the server
 * that gives the row.
 */
export interface ServerRow {
  /** Unique among the servers that run. */
  number: string;
  /** The name of its machine, which several servers can share. */
  host: string;
  /** Of Rollcall. */
  version: string;
  startedAt: number;
  /** Its open sockets, of all apps. */
  connections: number;
  /** The users online who are connected to it; one who is connected to several is counted by each. */
  users: number;
  /** The resident memory of the process. */
  memoryBytes: number;
  /** How late its process reaches work that is due. */
  eventLoopLagMs: number;
  /** Whether it does the work that an installation does once. */
  isLeader: boolean;
  /** Whether it is the server that gives the row. */
  isSelf: boolean;
  /** When its last report arrived. */
  lastHeartbeatAt: number;
  /** Whether it reached Redis when it last reported. */
  seesRedis: boolean;
}

/** A server on a page. */
export interface ShownServer extends ServerRow {
  /** Whether it has stopped reporting. */
  isLost: boolean;
}

/** The servers on a page. */
export interface ServersView {
  /** How many of the known servers report. */
  alive: number;
  known: number;
  /** Since when the numbers of the server that gives this are stale; null while they are not. */
  staleSince: number | null;
  rows: ShownServer[];
}

/** Payload of the event `Stale`, for all pages of a server that loses or finds the others. */
export interface Stale {
  /** Since when its numbers are stale, by its clock, in milliseconds since 1970; null: they are not any more. */
  since: number | null;
}

/** The health of the server that a page is connected to; payload of the event `HealthMeasured`. */
export interface Health {
  /** In milliseconds since 1970. */
  at: number;
  uptimeSeconds: number;
  /** Open sockets of all apps. */
  connections: number;
  /** Frames received and sent, over the last seconds; null before the first measurement. */
  messagesPerSecond: number | null;
  /** How often each limit was exceeded since the start, by its name in words; without limits that never were. */
  refusals: Readonly<Record<string, number>>;
  /** The resident memory of the process. */
  memoryBytes: number;
  version: string;
  /** What is wrong with the database; null while it works. */
  outage: DatabaseOutage | null;
  /** All servers of the installation; null where there can be one only. */
  servers: ServersView | null;
}

/** The database cannot be written, and perhaps not be read either. */
export interface DatabaseOutage {
  /** A few words, such as `the disk is full`. */
  reason: string;
  /** In ms since 1970. */
  since: number;
  isReadable: boolean;
}
