import type { Clock } from "../timing/clock.ts";

/** How often some are closed while draining. */
const stepMs = 20;

/**
 * Closes connections evenly over so many milliseconds: their clients come back at once, and shall not
 * all come back in the same moment. Ends early once none is open.
 */
export async function closeSpread<C extends { readonly isOpen: boolean }>(
  connections: readonly C[],
  close: (connection: C) => void,
  ms: number,
  clock: Clock,
): Promise<void> {
  const start = clock.now();
  let closed = 0;
  while (true) {
    const share = ms > 0 ? Math.min(1, (clock.now() - start) / ms) : 1;
    const due = Math.ceil(share * connections.length);
    for (; closed < due; closed++) close(connections[closed]);
    if (!connections.some((connection) => connection.isOpen)) return;
    await new Promise<void>((resolve) => clock.after(stepMs, resolve));
  }
}
