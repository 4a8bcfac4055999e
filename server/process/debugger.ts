import inspector from "node:inspector";
import { logOf } from "../observability/logging.ts";

const log = logOf("server");

/**
 * How long to look for the debugger after the signal, and how often, in ms. On a busy machine it opens
 * seconds later.
 */
const [watchedMs, intervalMs] = [60_000, 10];

/**
 * Closes V8's debugger as soon as SIGUSR1 has opened it: through it, every user of the machine could run
 * code in the server. Deno opens it at that signal, and has no option against it.
 */
export function keepDebuggerClosed(): void {
  Deno.addSignalListener("SIGUSR1", () => closeSoon(performance.now() + watchedMs));
}

function closeSoon(giveUpAt: number): void {
  if (inspector.url() !== undefined) {
    inspector.close();
    log.warn("SIGUSR1 opened the debugger, and it was closed at once");
  } else if (performance.now() < giveUpAt) setTimeout(closeSoon, intervalMs, giveUpAt);
}
