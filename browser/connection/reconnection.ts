import { retryDelayMs } from "../presence/presence_signals.ts";

/** What is needed of pusher-js to connect again. */
export interface Reconnectable {
  connect(): void;
  disconnect(): void;
  connection: { state: string; bind(event: string, callback: () => void): unknown };
}

/**
 * Starts an attempt to connect anew when it does not succeed: after 2 to 4 s, then later and later up
 * to 15 s. pusher-js itself lets 15, 30 and 60 s go by after an attempt that failed at once, so that
 * pages would show stale numbers long after a server is back from a restart.
 *
 * @returns whether a `disconnected` that is being told is part of starting anew.
 */
export function reconnectSooner(
  pusher: Reconnectable,
  random: () => number = Math.random,
): () => boolean {
  let failures = 0;
  let startingAnew = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const startAnew = () => {
    failures++;
    startingAnew = true;
    pusher.disconnect();
    startingAnew = false;
    pusher.connect();
  };
  const onAttempt = () => {
    clearTimeout(timer);
    // Two failures ahead: an attempt that merely takes its time must not be cut off at once.
    timer = setTimeout(startAnew, retryDelayMs(failures + 2, random()));
  };
  const onEnd = () => clearTimeout(timer);

  pusher.connection.bind("connecting", onAttempt);
  pusher.connection.bind("connected", () => {
    failures = 0;
    onEnd();
  });
  pusher.connection.bind("disconnected", onEnd);
  pusher.connection.bind("failed", onEnd);
  if (pusher.connection.state === "connecting") onAttempt();
  return () => startingAnew;
}
