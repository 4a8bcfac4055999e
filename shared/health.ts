import type { ServersView } from "./servers.ts";

/** The health of the server that a page is connected to; payload of the event `HealthMeasured`. */
export interface Health {
  /** In milliseconds since 1970. */
  at: number;
  uptimeSeconds: number;
  /** Open sockets of all apps. */
  connections: number;
  /** Frames received and sent, over the last seconds; null before the first measurement. */
  messagesPerSecond: number | null;
  /** How often each limit was exceeded since the start; without those that never were. */
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
