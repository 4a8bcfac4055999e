/** What every server of the benchmark can do. */
export interface BenchServer {
  /** Answers a request for a socket, or a call that triggers an event. */
  answer(request: Request, pathname: string, address: string): Response | Promise<Response>;
  /** Sends an event to whoever subscribed to a channel. */
  publish(channel: string, event: string, data: unknown): void;
  /** From now on others join another channel; a server that knows no channels forgets who is in. */
  forget(): void;
}

/**
 * The idle time-out of all servers, in seconds: longer than a run, as clients count the bytes that come
 * and a ping would be among them.
 */
export const idleTimeoutSeconds = 240;
