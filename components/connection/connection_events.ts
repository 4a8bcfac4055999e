import { atMostEvery } from "../page/at_most_every.ts";
import {
  connectionRefusal,
  passingRefusal,
  type Reconnectable,
  reconnectSooner,
} from "./reconnection.ts";
import { text } from "@/shared/language.ts";

/** A visible page asks a server that sent nothing for this long whether it is there, in milliseconds. */
const quietMs = 5_000;

/** How long the answer may take before the page says that the server is silent, in milliseconds. */
const answerMs = 5_000;

/** The part of pusher-js that {@link askForLife} uses. */
interface Askable {
  connection: { state: string; bind(event: string, callback: () => void): unknown };
  send_event(name: string, data: unknown): unknown;
}

/** Whether readers see the page, and when that changes. */
interface Visibility {
  hidden: boolean;
  addEventListener(type: "visibilitychange", listener: () => void): void;
}

/**
 * Asks an open connection for a sign of life when it is quiet, so that a frozen server is noticed ten
 * seconds after its last frame; pusher-js itself takes thirty, and then connects again. A hidden page
 * does not ask.
 *
 * @param silent is called when a ping got no answer. The connection stays open: a server that goes on
 * answers at once.
 */
export function askForLife(
  pusher: Askable,
  silent: () => void,
  page: Visibility,
): void {
  let receivedAt = Date.now();
  let askedAt: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const wait = (milliseconds: number, then: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(then, milliseconds);
  };
  const lookAgain = () => {
    askedAt = null;
    if (pusher.connection.state !== "connected" || page.hidden) return clearTimeout(timer);
    // A clock that was set back would make the wait longer.
    const quiet = Math.max(0, Date.now() - receivedAt);
    if (quiet < quietMs) return wait(quietMs - quiet, lookAgain);
    askedAt = Date.now();
    pusher.send_event("pusher:ping", {});
    wait(answerMs, lookForAnswer);
  };
  const lookForAnswer = () => {
    if (askedAt === null || receivedAt >= askedAt) return lookAgain();
    if (pusher.connection.state === "connected") silent();
  };

  pusher.connection.bind("message", () => {
    // A silent server is back: no timer runs.
    const wasSilent = askedAt !== null && Date.now() - askedAt >= answerMs;
    receivedAt = Date.now();
    if (wasSilent) lookAgain();
  });
  pusher.connection.bind("connected", lookAgain);
  page.addEventListener("visibilitychange", lookAgain);
  // Another part of the page may have connected already.
  lookAgain();
}

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
interface Watchable {
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
    report({ type: "refused", reason: refusal ?? text`Connection closed.`, at: Date.now() });
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
    refusal = text`Your browser doesn't support WebSockets.`;
    stopped();
  });
  // A page from the back-forward cache comes back with its connection closed by pusher-js.
  addEventListener("pageshow", (event) => event.persisted && pusher.connect());
}
