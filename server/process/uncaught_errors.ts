import { logOf } from "../observability/logging.ts";
import inspector from "node:inspector";

const log = logOf("server");

const listening = new AbortController();

/**
 * Logs each error that no code catches, with its stack, before Deno ends the process. Deno itself prints
 * `Uncaught null` for one in a listener that is called while a connection of Node's API is read.
 */
export function logUncaughtErrors(): void {
  const { signal } = listening;
  globalThis.addEventListener("error", ({ error, message }) => {
    report("An error was not caught, so this server ends", error, message);
  }, { signal });
  globalThis.addEventListener("unhandledrejection", ({ reason }) => {
    report("A rejection was not handled, so this server ends", reason);
  }, { signal });
}

/**
 * Logs no such error any more, as the process exits. Under the watcher, the end breaks off what still runs,
 * such as a build of the pages, which then fails with `null`.
 */
export function ignoreUncaughtErrors(): void {
  listening.abort();
}

/** What is no error has no stack: then the report's stack shows what was running, if anything. */
function report(message: string, error: unknown, text = `Uncaught ${textOf(error)}`): void {
  log.error(message, { error: error instanceof Error ? error : new Error(text) });
}

/** An object may have no text, or one that throws. */
function textOf(error: unknown): string {
  return typeof error === "object" && error !== null ? "object" : String(error);
}

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
