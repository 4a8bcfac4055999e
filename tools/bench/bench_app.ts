import type { AppConfig } from "@/realtime/server.ts";

/** The app that both servers of the benchmark serve. */
export const app: AppConfig = { id: "1", key: "bench", secret: "secret-of-the-bench-clients" };

/** A channel that needs no signature. */
export const publicChannel = "news";

/** A channel whose clients send events to each other. */
export const privateChannel = "private-news";

/** A presence channel for each turn; their names have the same length. */
export function presenceChannel(turn: number): string {
  return `presence-${String(turn).padStart(4, "0")}`;
}

/** The data of every event that is sent. */
export const eventData = { text: "x".repeat(100) };

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
