import { atMostEvery } from "../page/at_most_every.ts";
import type { sharedEcho } from "./echo.ts";
import { connectionRefusal } from "../presence/presence_signals.ts";
import { reconnectSooner } from "./reconnection.ts";

/** What can happen to a page's connection; `at` is in milliseconds since 1970. */
export type ConnectionEvent =
  /** A frame arrived: what was true is still true. */
  | { type: "heard"; at: number }
  /** The connection or the subscription was lost and is being made again. */
  | { type: "dropped"; at: number }
  /** Nothing will be true again until somebody acts: `reason` says why. */
  | { type: "refused"; reason: string; at: number };

/** How often frames count as a sign of life at most, in milliseconds: times are told in seconds. */
const heardEveryMs = 500;

/** Reports all that happens to the page's connection, and lets it come back soon when it is lost. */
export function watchConnection(
  echo: ReturnType<typeof sharedEcho>,
  report: (event: ConnectionEvent) => void,
): void {
  const pusher = echo.connector.pusher;
  const dropped = () => report({ type: "dropped", at: Date.now() });
  const isStartingAnew = reconnectSooner(pusher);
  let refusal: string | null = null;
  const stopped = () => {
    if (isStartingAnew()) return;
    report({ type: "refused", reason: refusal ?? "The connection was closed.", at: Date.now() });
    refusal = null;
  };
  const heard = atMostEvery(heardEveryMs, () => {
    if (pusher.connection.state === "connected") report({ type: "heard", at: Date.now() });
  });
  pusher.connection.bind("message", heard);
  pusher.connection.bind("connecting", dropped);
  // pusher-js stays "connected" during the second that it waits before it connects again.
  pusher.connection.bind("connecting_in", dropped);
  pusher.connection.bind("unavailable", dropped);
  pusher.connection.bind("error", (error: unknown) => {
    refusal = connectionRefusal(error);
  });
  pusher.connection.bind("disconnected", stopped);
  pusher.connection.bind("failed", () => {
    refusal = "This browser does not support WebSockets.";
    stopped();
  });
  // A page from the back-forward cache comes back with its connection closed by pusher-js.
  addEventListener("pageshow", (event) => event.persisted && pusher.connect());
}
