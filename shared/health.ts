/** How the server is; payload of the event `HealthMeasured`. */
export interface Health {
  /** In milliseconds since 1970. */
  at: number;
  uptimeSeconds: number;
  /** Open sockets, of all apps and of users and others alike. */
  connections: number;
  /** Frames that clients sent and were sent, over the last seconds; null at first. */
  messagesPerSecond: number | null;
  /** How often each limit was passed since the start; those that never were are left out. */
  refusals: Readonly<Record<string, number>>;
  /** What the process has of the machine's memory. */
  memoryBytes: number;
  version: string;
}
