import type { PusherLike } from "../types/index.d.ts";
import { attemptMs } from "./waits.ts";

/** What a handshake is taken to last before the first one, on a network of which nothing is known. */
const unknownHandshakeMs = 1_000;

/** A measured handshake counts as no longer, as it may have been a wait of the server's. */
const longestHandshakeMs = 1_500;

/** How long an answer may take once the network is back, in milliseconds. */
const answerMs = 2_000;

/**
 * Brings a client back sooner than pusher-js does, which tries again 15, 30 and 60 s after an attempt
 * that failed at once: an attempt that does not succeed is given up for another one. A server that asks
 * for a pause gets it. Ends when the app disconnects, or the server refuses the client for good.
 */
export function keepConnected(pusher: PusherLike, random = Math.random): void {
  const { connection } = pusher;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lostAt: number | undefined;
  let attemptAt = Date.now();
  let handshakeMs = unknownHandshakeMs;
  let isRestarting = false;

  const restartIn = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isRestarting = true;
      pusher.disconnect();
      isRestarting = false;
      pusher.connect();
    }, ms);
  };
  const attempt = (inMs = 0) => {
    attemptAt = Date.now() + inMs;
    lostAt ??= attemptAt;
    restartIn(inMs + attemptMs(attemptAt - lostAt, handshakeMs, random()));
  };
  const settle = () => {
    clearTimeout(timer);
    lostAt = undefined;
  };

  connection.bind("connecting", () => attempt());
  connection.bind("connecting_in", (seconds: number) => {
    // Lost without a word, as all others may be in this moment: not all after the same second.
    if (connection.state === "connected") return restartIn(random() * seconds * 1_000);
    lostAt = undefined; // The server answered, and asked for a pause.
    attempt(seconds * 1_000);
  });
  connection.bind("connected", () => {
    handshakeMs = Math.min(longestHandshakeMs, Date.now() - attemptAt);
    settle();
  });
  connection.bind("disconnected", () => isRestarting || settle());
  connection.bind("failed", settle);
  connection.bind("message", () => connection.state === "connected" && settle());

  const isTrying = () => /^(connecting|unavailable)$/.test(connection.state);
  /** The reader looks, or the network is back: waits are short again. */
  const hurry = () => {
    lostAt = undefined;
    if (isTrying()) attempt();
  };
  addEventListener("online", () => {
    hurry();
    if (connection.state !== "connected") return;
    pusher.send_event("pusher:ping", {});
    restartIn(answerMs);
  });
  addEventListener("visibilitychange", () => document.hidden || hurry());
  if (isTrying()) attempt();
}
