import type { Connection } from "./connection.ts";
import type { Clock } from "./deadlines.ts";
import { closeCodes } from "./protocol.ts";

/** How often some connections are closed while draining. */
const stepMs = 20;

/**
 * Closes connections evenly over so many milliseconds, so that their clients, which come back at once,
 * do not all come back at once.
 */
export async function closeSpread(
  connections: readonly Connection[],
  ms: number,
  clock: Clock,
): Promise<void> {
  const start = clock.now();
  let closed = 0;
  while (true) {
    const share = ms > 0 ? Math.min(1, (clock.now() - start) / ms) : 1;
    const due = Math.ceil(share * connections.length);
    for (; closed < due; closed++) {
      connections[closed].end(closeCodes.reconnect, "The server is stopping");
    }
    if (connections.every((connection) => !connection.isOpen)) return;
    await new Promise<void>((resolve) => clock.after(stepMs, resolve));
  }
}
