/** A server of the benchmark. */
export interface BenchServer {
  /** Answers a request for a socket, or a call that triggers an event. */
  answer(request: Request, pathname: string, address: string): Response | Promise<Response>;
  /** Sends an event to the subscribers of a channel. */
  publish(channel: string, event: string, data: unknown): void;
  /** Starts another channel; a server that knows no channels forgets its members. */
  forget(): void;
}

/**
 * The idle time-out of all servers, in seconds: longer than a run, as clients count the bytes that come
 * and a ping would be among them.
 */
export const idleTimeoutSeconds = 240;
