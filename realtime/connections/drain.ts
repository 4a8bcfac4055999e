import type { Clock } from "../timing/clock.ts";

/** The time between two rounds of closing, in milliseconds. */
const stepMs = 20;

/**
 * Closes connections evenly over a time, because pusher-js has no jitter: clients that are closed in
 * one moment connect again in one moment. Resolves when none is open, which may be earlier.
 *
 * @param signal those that are open when it is aborted stay open.
 */
export async function closeSpread<C extends { readonly isOpen: boolean }>(
  connections: readonly C[],
  close: (connection: C) => void,
  ms: number,
  clock: Clock,
  signal?: AbortSignal,
): Promise<void> {
  const start = clock.now();
  let closed = 0;
  while (!signal?.aborted) {
    const share = ms > 0 ? Math.min(1, (clock.now() - start) / ms) : 1;
    const due = Math.ceil(share * connections.length);
    for (; closed < due; closed++) close(connections[closed]);
    if (!connections.some((connection) => connection.isOpen)) return;
    await new Promise<void>((resolve) => clock.after(stepMs, resolve));
  }
}
