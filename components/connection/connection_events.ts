import { atMostEvery } from "../page/at_most_every.ts";
import { type Askable, askForLife, type Visibility } from "./liveness.ts";
import { type Reconnectable, reconnectSooner } from "./reconnection.ts";
import { connectionRefusal, passingRefusal } from "./refusals.ts";

/** An event of a page's connection; `at` is in milliseconds since 1970. */
export type ConnectionEvent =
  /** A frame arrived: what is known is still true. */
  | { type: "received"; at: number }
  /** The server does not answer, though the connection is open. */
  | { type: "silent"; at: number }
  /** The device lost its network, or has one again. */
  | { type: "offline"; at: number }
  | { type: "online"; at: number }
  /** The connection or the subscription was lost and is being restored; `reason` is a sentence. */
  | { type: "dropped"; at: number; reason?: string }
  /** The connection ended for good; `reason` is a sentence for the reader. */
  | { type: "refused"; reason: string; at: number };

/** Frames are reported at most this often, in milliseconds: pages show times in seconds. */
const receivedEveryMs = 500;

/** The part of an Echo that {@link watchConnection} uses. */
export interface Watchable {
  connector: { pusher: Reconnectable & Askable };
}

/** Reports the events of the page's connection, and restores it soon after a loss. */
export function watchConnection(
  echo: Watchable,
  report: (event: ConnectionEvent) => void,
  page: Visibility = document,
): void {
  const pusher = echo.connector.pusher;
  let passing = "";
  const dropped = () => report({ type: "dropped", at: Date.now(), reason: passing });
  const isRestarting = reconnectSooner(pusher);
  askForLife(pusher, () => report({ type: "silent", at: Date.now() }), page);
  for (const type of ["offline", "online"] as const) {
    addEventListener(type, () => report({ type, at: Date.now() }));
  }
  let refusal: string | null = null;
  const stopped = () => {
    if (isRestarting()) return;
    report({ type: "refused", reason: refusal ?? "Connection closed.", at: Date.now() });
    refusal = null;
  };
  const received = atMostEvery(receivedEveryMs, () => {
    if (pusher.connection.state === "connected") report({ type: "received", at: Date.now() });
  });
  const { connection } = pusher;
  connection.bind("message", received);
  // pusher-js stays "connected" during the second that it waits before it connects again (`connecting_in`).
  for (const state of ["connecting", "connecting_in", "unavailable"]) {
    connection.bind(state, dropped);
  }
  connection.bind("error", (error: unknown) => {
    refusal = connectionRefusal(error);
    passing = passingRefusal(error);
  });
  connection.bind("connected", () => passing = "");
  connection.bind("disconnected", stopped);
  connection.bind("failed", () => {
    refusal = "Your browser doesn't support WebSockets.";
    stopped();
  });
  // A page from the back-forward cache comes back with its connection closed by pusher-js.
  addEventListener("pageshow", (event) => event.persisted && pusher.connect());
}
