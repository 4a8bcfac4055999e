/** The health of the server; payload of the event `HealthMeasured`. */
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
}
