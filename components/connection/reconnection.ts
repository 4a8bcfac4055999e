/** The part of pusher-js that {@link reconnectSooner} uses. */
export interface Reconnectable {
  connect(): void;
  disconnect(): void;
  connection: { state: string; bind(event: string, callback: (data?: unknown) => void): unknown };
}

/**
 * Restarts an attempt to connect that does not succeed: after 2 to 4 s, then with longer waits up to
 * 15 s. pusher-js itself waits 15, 30 and 60 s after an attempt that failed at once, so that pages would
 * show outdated numbers long after a server is back from a restart.
 *
 * @returns whether the current `disconnected` event is part of a restart.
 */
export function reconnectSooner(
  pusher: Reconnectable,
  random: () => number = Math.random,
): () => boolean {
  let failures = 0;
  let isRestarting = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const restart = () => {
    failures++;
    isRestarting = true;
    pusher.disconnect();
    isRestarting = false;
    pusher.connect();
  };
  const onAttempt = () => {
    clearTimeout(timer);
    // As after two more failures: an attempt that is only slow must not be cut off.
    timer = setTimeout(restart, retryDelayMs(failures + 2, random()));
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
  return () => isRestarting;
}

/**
 * How long to wait before the next attempt, in milliseconds: from 1 s doubling to 15 s, with jitter, so
 * that the pages of a restarted server do not all retry at once.
 *
 * @param failuresBefore attempts that failed in a row.
 * @param random from 0 to 1.
 */
export function retryDelayMs(failuresBefore: number, random: number): number {
  return Math.min(15_000, 1_000 * 2 ** failuresBefore) * (0.5 + random / 2);
}
