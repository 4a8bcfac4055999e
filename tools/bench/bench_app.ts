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
